#include "store/shape_writer.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace entitable {
namespace {

std::string_view BytesOf(const Shape& shape) {
  return {reinterpret_cast<const char*>(shape.data()),
          shape.size() * sizeof(std::uint64_t)};
}

}  // namespace

bool ShapeWriter::IsAt(std::size_t number, const Shape& shape) const {
  const auto at = [this](std::uint64_t start) {
    return columns_.data() + start;
  };
  return std::equal(at(starts_[number]), at(starts_[number + 1]), shape.data(),
                    shape.data() + shape.size());
}

std::size_t ShapeWriter::Find(const Shape& shape) const {
  // Mostly that of the row before.
  if (index_.size() > 0) {
    const auto last = static_cast<std::size_t>(numbers_.back());
    if (IsAt(last, shape)) return last;
  }
  auto probe = index_.Begin(index_.HashOf(BytesOf(shape)));
  while (true) {
    const std::size_t number = index_.Next(probe);
    if (number == HashIndex::kNone) return index_.size();
    if (IsAt(number, shape)) return number;
  }
}

void ShapeWriter::Add(std::size_t number, const Shape& shape) {
  numbers_.push_back(number);
  if (number < index_.size()) return;
  index_.Add(index_.HashOf(BytesOf(shape)));
  for (const std::uint64_t column : shape) columns_.push_back(column);
  starts_.push_back(columns_.size());
}

std::size_t ShapeWriter::BytesWith(std::size_t number, std::size_t size,
                                   std::size_t column_count) const {
  const bool is_new = number == index_.size();
  const std::size_t shapes = index_.size() + is_new;
  return NumberWidth(shapes) * (numbers_.size() + 1) + 2 * (shapes + 1) +
         ShapeColumnWidth(column_count) *
             (columns_.size() + (is_new ? size : 0));
}

void ShapeWriter::FillIn(LeafLayout& layout) const {
  layout.shape_starts.count = static_cast<std::uint32_t>(starts_.size());
  layout.shape_columns.count = static_cast<std::uint32_t>(columns_.size());
}

void ShapeWriter::Write(const LeafLayout& layout) const {
  PutAll(numbers_, layout.shape_numbers);
  PutAll(starts_, layout.shape_starts);
  PutAll(columns_, layout.shape_columns);
}

void ShapeWriter::Clear() {
  numbers_.clear();
  starts_.assign(1, 0);
  columns_.clear();
  index_.Truncate(0);
}

}  // namespace entitable
