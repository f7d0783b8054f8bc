#include "store/shape_writer.h"

#include <algorithm>
#include <string_view>

#include "store/array_writer.h"

namespace entitable {
namespace {

std::uint32_t HashOfShape(const Shape& shape) {
  return HashOf({reinterpret_cast<const char*>(shape.data()),
                 shape.size() * sizeof(shape.front())});
}

}  // namespace

std::span<const std::uint16_t> ShapeWriter::ShapeAt(std::size_t number) const {
  return std::span(columns_).subspan(
      starts_[number], std::size_t{starts_[number + 1]} - starts_[number]);
}

ShapeWriter::Candidate ShapeWriter::Try(const Shape& shape) const {
  const auto is_at = [&](std::size_t number) {
    return std::ranges::equal(ShapeAt(number), shape);
  };
  // Mostly that of the row before.
  if (index_.size() > 0 && is_at(numbers_.back())) return {numbers_.back()};

  auto probe = index_.Begin(HashOfShape(shape));
  while (true) {
    const std::size_t number = index_.Next(probe);
    if (number == HashIndex::kNone) return {index_.size(), shape.size()};
    if (is_at(number)) return {number};
  }
}

void ShapeWriter::Add(const Candidate& candidate, const Shape& shape) {
  if (candidate.number == index_.size()) {
    index_.Add(HashOfShape(shape));
    columns_.insert(columns_.end(), shape.begin(), shape.end());
    starts_.push_back(static_cast<std::uint16_t>(columns_.size()));
  }
  numbers_.push_back(static_cast<std::uint16_t>(candidate.number));
}

std::size_t ShapeWriter::BytesWith(const Candidate& candidate,
                                   std::size_t column_count) const {
  const std::size_t shapes = std::max(index_.size(), candidate.number + 1);
  return NumberWidth(shapes) * (numbers_.size() + 1) +
         sizeof(std::uint16_t) * (shapes + 1) +
         ShapeColumnWidth(column_count) *
             (columns_.size() + candidate.new_columns);
}

void ShapeWriter::FillIn(LeafLayout& layout) const {
  layout.shapes = index_.size();
  layout.shape_columns = columns_.size();
}

void ShapeWriter::Write(const LeafLayout& layout, char* page) const {
  PutAll(numbers_, layout.shape_numbers_array, page);
  PutAll(starts_, layout.shape_starts_array, page);
  PutAll(columns_, layout.shape_columns_array, page);
}

void ShapeWriter::Clear() {
  numbers_.clear();
  starts_.resize(1);
  columns_.clear();
  index_.Truncate(0);
}

}  // namespace entitable
