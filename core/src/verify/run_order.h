// run_order.h - sorts runs by age, judging only by their rows.

#ifndef ENTITABLE_VERIFY_RUN_ORDER_H_
#define ENTITABLE_VERIFY_RUN_ORDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/date_time.h"

namespace entitable {

// The version of a row, without its contents.
struct RowVersion {
  std::uint64_t key;  // The hash of the key.
  DateTime timestamp;
  std::size_t run;  // The number of the run, from 0.
};

// The runs, the newest first.  If two runs have a row with the same key, the
// run with the newer row is newer.  This comes first.  Runs without a common
// key are sorted by their newest rows; equal ones keep their order.  The second
// rule can be wrong: a run may contain newer rows than the run above it, if
// rows from before a bulk load were flushed after it.
std::vector<std::size_t> OrderRuns(std::size_t run_count,
                                   std::vector<RowVersion> rows);

}  // namespace entitable

#endif  // ENTITABLE_VERIFY_RUN_ORDER_H_
