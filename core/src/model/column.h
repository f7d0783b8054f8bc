// column.h - the values of one property in a run of rows, as packed arrays.
//
// It is what a page keeps and what a filter runs over, and knows of neither.

#ifndef ENTITABLE_MODEL_COLUMN_H_
#define ENTITABLE_MODEL_COLUMN_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bits.h"
#include "model/value.h"

namespace entitable {

// Integers of `width` bytes: 1, 2, 4, 8, or 0 when all of them are zero.
struct PackedArray {
  const char* data = nullptr;
  std::uint32_t count = 0;
  std::uint8_t width = 0;

  std::uint64_t operator[](std::size_t i) const;
};

// The numbers are part of the stored formats: never change one.
enum class ColumnForm : std::uint8_t {
  kIntegers = 1,    // base + numbers[i]: Int32, Int64 and DateTime.
  kDoubles = 2,     // numbers[i] are their bits.
  kBits = 3,        // Booleans; `numbers` are words of 64 values.
  kGuids = 4,       // Two numbers each: 16 bytes.
  kTexts = 5,       // From starts[i] to starts[i + 1]; Binaries too.
  kDictionary = 6,  // The same, with numbers[i], a byte, in the place of i.
};

// A view.  Properties of one name and two types are two columns.
struct Column {
  std::string_view name;
  EdmType type = EdmType::kString;
  ColumnForm form = ColumnForm::kTexts;
  std::uint32_t value_count = 0;
  std::uint32_t entry_count = 0;  // Of texts that `starts` tells apart.
  std::int64_t base = 0;

  // A bit a row, in words; without data when every row has a value.  The arrays
  // below hold the values of those that have one, one after another.
  PackedArray presence;
  PackedArray numbers;
  PackedArray starts;
  PackedArray bytes;

  bool Has(std::size_t row) const {
    return presence.data == nullptr || BitAt(presence.data, row);
  }

  // Which value is that of a row that has one.
  std::size_t IndexOf(std::size_t row) const {
    return presence.data == nullptr ? row : CountBits(presence.data, row);
  }

  Value ValueAt(std::size_t index) const;

  // Of kIntegers; unsigned, because the least plus the widest step may pass
  // through zero.
  std::int64_t IntegerAt(std::size_t index) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                     numbers[index]);
  }

  // Of kTexts and kDictionary.
  std::string_view TextAt(std::size_t index) const {
    return EntryTextAt(form == ColumnForm::kTexts
                           ? index
                           : static_cast<std::size_t>(numbers[index]));
  }

  // What `starts` tells apart: the values of kTexts, the words of kDictionary.
  Value EntryAt(std::size_t entry) const;
  std::string_view EntryTextAt(std::size_t entry) const {
    const auto start = static_cast<std::size_t>(starts[entry]);
    const auto end = static_cast<std::size_t>(starts[entry + 1]);
    return {bytes.data + start, end - start};
  }
};

inline std::uint64_t PackedArray::operator[](std::size_t i) const {
  std::uint64_t value = 0;
  switch (width) {
    case 1:
      std::memcpy(&value, data + i, 1);
      break;
    case 2:
      std::memcpy(&value, data + i * 2, 2);
      break;
    case 4:
      std::memcpy(&value, data + i * 4, 4);
      break;
    case 8:
      std::memcpy(&value, data + i * 8, 8);
      break;
    default:
      break;
  }
  return value;
}

}  // namespace entitable

#endif  // ENTITABLE_MODEL_COLUMN_H_
