// column_sums.h - exact sums of the integers of a column.

#ifndef ENTITABLE_READ_GROUPS_COLUMN_SUMS_H_
#define ENTITABLE_READ_GROUPS_COLUMN_SUMS_H_

#include <cstddef>
#include <cstdint>

#include "model/column.h"

namespace entitable {

// The number high * 2^32 + low, which may be beyond 64 bits.
struct WideSum {
  std::int64_t high = 0;
  std::uint64_t low = 0;
};

// The sum of `count` values from `first` on, fewer than 2^31.  The column must
// have the form kIntegers.
//
// A column has a base and unsigned steps from it, of 0, 1, 2, 4 or 8 bytes.  So
// the sum is that of the steps, and the base times the count.
WideSum SumOfIntegers(const Column& column, std::size_t first,
                      std::size_t count);

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_COLUMN_SUMS_H_
