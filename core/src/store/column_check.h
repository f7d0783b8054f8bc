// column_check.h - checks that the arrays of a column match its directory.

#ifndef ENTITABLE_STORE_COLUMN_CHECK_H_
#define ENTITABLE_STORE_COLUMN_CHECK_H_

#include <cstddef>
#include <cstdint>

#include "model/column.h"

namespace entitable {

// Whether exactly `set` of the first `bits` bits are set, and none of the
// unused ones.  True if the array is missing.
bool HasBits(const PackedArray& words, std::size_t bits, std::size_t set);

// Whether the numbers begin with 0, never decrease, and end with `last`.
bool AreStarts(const PackedArray& starts, std::uint64_t last);

// Whether every value of the column can be read safely and is valid for its
// type.
bool IsSoundColumn(const Column& column, std::size_t row_count);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COLUMN_CHECK_H_
