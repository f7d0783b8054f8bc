// run_order.h - which of several runs is the newer, told by their rows alone.

#ifndef ENTITABLE_VERIFY_RUN_ORDER_H_
#define ENTITABLE_VERIFY_RUN_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/date_time.h"

namespace entitable {

// A row of a run, without what it holds.
struct RowVersion {
  std::uint64_t key;  // Its hash.
  DateTime timestamp;
  std::size_t run;  // From 0.
};

// The runs, the newest first.  Of two that have a row of one key, the newer has
// the newer row, and so before all they stand in that order.  Those that have
// no row in common stand by their newest rows, and as they came where these are
// equally new: but a run as a whole may have newer rows than one above it, when
// what was written before a load was folded after it.
std::vector<std::size_t> OrderRuns(std::size_t run_count,
                                   std::vector<RowVersion> rows);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_RUN_ORDER_H_
