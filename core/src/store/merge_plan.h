// merge_plan.h - which runs to merge, and when.

#ifndef ENTITABLE_STORE_MERGE_PLAN_H_
#define ENTITABLE_STORE_MERGE_PLAN_H_

#include <cstddef>

#include "store/root.h"

namespace entitable {

// How many of the newest runs to merge into one; 0 when all is in shape.  Two
// rules, of which the first that holds decides:
//
// - The newer runs together are a sixth of the oldest, or dropped tables are:
//   all are merged, which alone makes an end of marks of deletion.
// - There are more than kMaxRuns: the newest two are merged, and as many more
//   as are at most six times as long as what is merged into them.
std::size_t RunsToMerge(const Root& root);

// Whether what is due is no time to wait for a better one: the newer runs are a
// fifth of the oldest, with which storage is one and a half times what lives,
// or reads look into twice as many runs as they should.
bool IsMergePressing(const Root& root);

}  // namespace entitable

#endif  // ENTITABLE_STORE_MERGE_PLAN_H_
