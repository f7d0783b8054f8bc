#include "store/column_check.h"

#include <algorithm>
#include <string_view>

#include "base/bits.h"
#include "base/date_time.h"
#include "base/utf.h"

namespace entitable {
namespace {

std::uint64_t Greatest(const PackedArray& numbers, std::size_t count) {
  std::uint64_t greatest = 0;
  if (numbers.width == 0) return greatest;
  for (std::size_t i = 0; i < count; ++i) {
    greatest = std::max(greatest, numbers[i]);
  }
  return greatest;
}

struct Limits {
  std::int64_t least;
  std::int64_t greatest;
};

Limits LimitsOf(const Column& column) {
  switch (column.type) {
    case EdmType::kInt32:
      return {INT32_MIN, INT32_MAX};
    case EdmType::kDateTime:
      // A clock may say what a property cannot.
      return {column.name == kTimestampName ? 0 : kMinDateTime.ticks,
              kMaxDateTime.ticks};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

bool AreIntegersSound(const Column& column) {
  const auto [least, greatest] = LimitsOf(column);
  if (column.base < least || column.base > greatest) return false;
  const std::uint64_t room = static_cast<std::uint64_t>(greatest) -
                             static_cast<std::uint64_t>(column.base);
  return Greatest(column.numbers, column.value_count) <= room;
}

// Valid as a whole, and no text begins within a character: so each is valid.
bool IsUtf8(const Column& column, std::size_t count, std::string_view bytes) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t start = column.starts[i];
    const bool is_within =
        start < bytes.size() &&
        (bytes[static_cast<std::size_t>(start)] & 0xC0) == 0x80;
    if (is_within) return false;
  }
  return IsValidUtf8(bytes);
}

bool AreTextsSound(const Column& column, const ColumnLayout& layout) {
  const auto count = static_cast<std::size_t>(layout.entries);
  const auto size = static_cast<std::size_t>(layout.bytes);
  return AreStarts(column.starts, count, size) &&
         (column.type != EdmType::kString ||
          IsUtf8(column, count, {column.bytes, size}));
}

bool AreValuesSound(const Column& column, const ColumnLayout& layout) {
  switch (column.form) {
    case ColumnForm::kIntegers:
      return AreIntegersSound(column);
    case ColumnForm::kTexts:
      return AreTextsSound(column, layout);
    case ColumnForm::kDictionary:
      return AreTextsSound(column, layout) &&
             (column.value_count == 0 ||
              Greatest(column.numbers, column.value_count) < layout.entries);
    default:
      return true;
  }
}

}  // namespace

bool HasBits(const char* words, std::size_t bits, std::size_t set) {
  return CountBits(words, bits) == set &&
         CountBits(words, WordCount(bits) * kWordBits) == set;
}

bool AreStarts(const PackedArray& starts, std::size_t count,
               std::uint64_t last) {
  std::uint64_t start = starts[0];
  if (start != 0) return false;
  for (std::size_t i = 1; i <= count; ++i) {
    if (starts[i] < start) return false;
    start = starts[i];
  }
  return start == last;
}

bool IsSoundColumn(const Column& column, const ColumnLayout& layout,
                   std::size_t row_count) {
  const bool has_presence = layout.presence_array.width != 0;
  return (!has_presence ||
          HasBits(column.presence, row_count, column.value_count)) &&
         IsValidUtf8(column.name) && AreValuesSound(column, layout);
}

}  // namespace entitable
