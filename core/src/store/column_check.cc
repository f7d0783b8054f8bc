#include "store/column_check.h"

#include <algorithm>
#include <string_view>

#include "base/bits.h"
#include "base/date_time.h"
#include "base/utf.h"
#include "store/leaf_format.h"

namespace entitable {
namespace {

std::uint64_t Greatest(const PackedArray& numbers) {
  std::uint64_t greatest = 0;
  for (std::size_t i = 0; i < numbers.count; ++i) {
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
      // A Timestamp comes from the clock and may lie before the range of
      // properties.
      return {column.name == kTimestampName ? 0 : kMinDateTime.ticks,
              kMaxDateTime.ticks};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

bool AreIntegersSound(const Column& column) {
  if (column.value_count == 0) return true;
  const auto [least, greatest] = LimitsOf(column);
  if (column.base < least || column.base > greatest) return false;
  const std::uint64_t room = static_cast<std::uint64_t>(greatest) -
                             static_cast<std::uint64_t>(column.base);
  return Greatest(column.numbers) <= room;
}

// If the bytes are valid as a whole and no text begins within a character,
// every text is valid.
bool AreTextsUtf8(const Column& column) {
  const std::string_view bytes(column.bytes.data, column.bytes.count);
  for (std::size_t i = 0; i < column.entry_count; ++i) {
    const auto start = static_cast<std::size_t>(column.starts[i]);
    const bool is_within =
        start < bytes.size() && (bytes[start] & 0xC0) == 0x80;
    if (is_within) return false;
  }
  return IsValidUtf8(bytes);
}

bool AreTextsSound(const Column& column) {
  return AreStarts(column.starts, column.bytes.count) &&
         (column.type != EdmType::kString || AreTextsUtf8(column));
}

}  // namespace

bool HasBits(const PackedArray& words, std::size_t bits, std::size_t set) {
  return words.width == 0 ||
         (CountBits(words.data, bits) == set &&
          CountBits(words.data, words.count * kWordBits) == set);
}

bool AreStarts(const PackedArray& starts, std::uint64_t last) {
  std::uint64_t start = 0;
  for (std::size_t i = 0; i < starts.count; ++i) {
    const std::uint64_t next = starts[i];
    if (i == 0 ? next != 0 : next < start) return false;
    start = next;
  }
  return start == last;
}

bool IsSoundColumn(const Column& column, std::size_t row_count) {
  if (!HasBits(column.presence, row_count, column.value_count) ||
      !IsValidUtf8(column.name)) {
    return false;
  }
  switch (column.form) {
    case ColumnForm::kIntegers:
      return AreIntegersSound(column);
    case ColumnForm::kTexts:
      return AreTextsSound(column);
    case ColumnForm::kDictionary:
      return AreTextsSound(column) &&
             Greatest(column.numbers) < column.entry_count;
    default:
      return true;
  }
}

}  // namespace entitable
