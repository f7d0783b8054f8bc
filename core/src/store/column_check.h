// column_check.h - whether the arrays of a column hold what its directory says.

#ifndef ENTITABLE_STORE_COLUMN_CHECK_H_
#define ENTITABLE_STORE_COLUMN_CHECK_H_

#include <cstddef>
#include <cstdint>

#include "model/column.h"

namespace entitable {

// Whether so many of the first bits, and none of the unused ones, are set; so
// it is when there is no array.
bool HasBits(const PackedArray& words, std::size_t bits, std::size_t set);

// From 0, never going down, to `last`.
bool AreStarts(const PackedArray& starts, std::uint64_t last);

// True when reading any value of the column is safe, and gives one that its
// type has.
bool IsSoundColumn(const Column& column, std::size_t row_count);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COLUMN_CHECK_H_
