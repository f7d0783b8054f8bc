// column_values.h - the values that some rows have in a column.

#ifndef ENTITABLE_READ_GROUPS_COLUMN_VALUES_H_
#define ENTITABLE_READ_GROUPS_COLUMN_VALUES_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bits.h"
#include "model/column.h"

namespace entitable {

class ColumnValues {
 public:
  // Finds the values of the rows, which ascend.
  void Find(const Column& column, std::span<const std::uint32_t> rows) {
    places_.clear();
    values_.clear();
    const char* const presence = column.presence.data;
    std::size_t word = 0;
    std::size_t before = 0;  // The values of rows before the word.
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = rows[i];
      std::size_t value = row;
      if (presence != nullptr) {
        for (; word < row / kWordBits; ++word) {
          before +=
              static_cast<std::size_t>(std::popcount(WordAt(presence, word)));
        }
        if (!BitAt(presence, row)) continue;
        const std::uint64_t left =
            WordAt(presence, word) & LowBits(row % kWordBits);
        value = before + static_cast<std::size_t>(std::popcount(left));
      }
      places_.push_back(static_cast<std::uint32_t>(i));
      values_.push_back(static_cast<std::uint32_t>(value));
    }
  }

  // For each of those rows that have a value: its place among the rows, and the
  // index of the value.
  std::span<const std::uint32_t> places() const { return places_; }
  std::span<const std::uint32_t> values() const { return values_; }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> values_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_COLUMN_VALUES_H_
