#include "store/row_schema_writer.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace entitable {
namespace {

std::string_view BytesOf(const RowSchema& schema) {
  return {reinterpret_cast<const char*>(schema.data()),
          schema.size() * sizeof(std::uint64_t)};
}

}  // namespace

bool RowSchemaWriter::IsAt(std::size_t number, const RowSchema& schema) const {
  const auto at = [this](std::uint64_t start) {
    return columns_.data() + start;
  };
  return std::equal(at(starts_[number]), at(starts_[number + 1]), schema.data(),
                    schema.data() + schema.size());
}

std::size_t RowSchemaWriter::Find(const RowSchema& schema) const {
  // Usually the schema of the previous row.
  if (index_.size() > 0) {
    const auto last = static_cast<std::size_t>(numbers_.back());
    if (IsAt(last, schema)) return last;
  }
  auto probe = index_.Begin(index_.HashOf(BytesOf(schema)));
  while (true) {
    const std::size_t number = index_.Next(probe);
    if (number == HashIndex::kNone) return index_.size();
    if (IsAt(number, schema)) return number;
  }
}

void RowSchemaWriter::Add(std::size_t number, const RowSchema& schema) {
  numbers_.push_back(number);
  if (number < index_.size()) return;
  index_.Add(index_.HashOf(BytesOf(schema)));
  for (const std::uint64_t column : schema) columns_.push_back(column);
  starts_.push_back(columns_.size());
}

std::size_t RowSchemaWriter::BytesWith(std::size_t number, std::size_t size,
                                       std::size_t column_count) const {
  const bool is_new = number == index_.size();
  const std::size_t schemas = index_.size() + is_new;
  return NumberWidth(schemas) * (numbers_.size() + 1) + 2 * (schemas + 1) +
         SchemaColumnWidth(column_count) *
             (columns_.size() + (is_new ? size : 0));
}

void RowSchemaWriter::FillIn(LeafLayout& layout) const {
  layout.schema_starts.count = static_cast<std::uint32_t>(starts_.size());
  layout.schema_columns.count = static_cast<std::uint32_t>(columns_.size());
}

void RowSchemaWriter::Write(const LeafLayout& layout) const {
  PutAll(numbers_, layout.schema_numbers);
  PutAll(starts_, layout.schema_starts);
  PutAll(columns_, layout.schema_columns);
}

void RowSchemaWriter::Clear() {
  numbers_.clear();
  starts_.assign(1, 0);
  columns_.clear();
  index_.Truncate(0);
}

}  // namespace entitable
