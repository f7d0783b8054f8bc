// column.h - the values of one property in a range of rows, as packed arrays.
//
// Pages store columns and filters run over them.  This file knows neither.

#ifndef ENTITABLE_MODEL_COLUMN_H_
#define ENTITABLE_MODEL_COLUMN_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bits.h"
#include "model/value.h"

namespace entitable {

// Integers of `width` bytes: 1, 2, 4, 8, or 0 if all of them are zero.
struct PackedArray {
  const char* data = nullptr;
  std::uint32_t count = 0;
  std::uint8_t width = 0;

  std::uint64_t operator[](std::size_t i) const;
};

// Stored pages contain these numbers: never change one.
enum class ColumnForm : std::uint8_t {
  kIntegers = 1,    // base + numbers[i]: Int32, Int64 and DateTime.
  kDoubles = 2,     // numbers[i] are the bits of the values.
  kBits = 3,        // Booleans; `numbers` are words of 64 values.
  kGuids = 4,       // Two numbers each: 16 bytes.
  kTexts = 5,       // From starts[i] to starts[i + 1]; also Binaries.
  kDictionary = 6,  // The same with the byte numbers[i] in place of i.
};

// A view.  A property that occurs with two types has two columns.
struct Column {
  std::string_view name;
  EdmType type = EdmType::kString;
  ColumnForm form = ColumnForm::kTexts;
  std::uint32_t value_count = 0;
  std::uint32_t entry_count = 0;  // The number of texts in `starts`.
  std::int64_t base = 0;

  // One bit per row, in words; without data if every row has a value.  The
  // arrays below hold only the values of rows that have one.
  PackedArray presence;
  PackedArray numbers;
  PackedArray starts;
  PackedArray bytes;

  bool Has(std::size_t row) const {
    return presence.data == nullptr || BitAt(presence.data, row);
  }

  // The index of the value of a row that has one.
  std::size_t IndexOf(std::size_t row) const {
    return presence.data == nullptr ? row : CountBits(presence.data, row);
  }

  Value ValueAt(std::size_t index) const;

  // For kIntegers.  The addition is unsigned, because the base plus a large
  // step may wrap around.
  std::int64_t IntegerAt(std::size_t index) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(base) +
                                     numbers[index]);
  }

  // For kTexts and kDictionary.
  std::string_view TextAt(std::size_t index) const {
    return EntryTextAt(form == ColumnForm::kTexts
                           ? index
                           : static_cast<std::size_t>(numbers[index]));
  }

  // The texts in `starts`: the values of kTexts, the entries of kDictionary.
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
