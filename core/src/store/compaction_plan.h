// compaction_plan.h - which runs to merge, and when.

#ifndef ENTITABLE_STORE_COMPACTION_PLAN_H_
#define ENTITABLE_STORE_COMPACTION_PLAN_H_

#include <cstddef>

#include "store/manifest.h"

namespace entitable {

// How many of the newest runs to merge into one; 0 when all is in shape.  Two
// rules, of which the first that holds decides:
//
// - The newer runs together are a sixth of the oldest, or dropped tables are:
//   all are merged, which alone makes an end of marks of deletion.
// - There are more than kMaxRuns: the newest two are merged, and as many more
//   as are at most six times as long as what is merged into them.
//
// With `is_room_short`, all are merged whenever that may make room.
std::size_t RunsToCompact(const Manifest& manifest, bool is_room_short);

// Whether a merge that is due must not wait for a better time: the newer runs
// are a fifth of the oldest, or dropped tables are of all, with which storage
// is (1 + 1/5) / (1 - 1/5) = 1.5 times what lives; or there are more than twice
// kMaxRuns, into which reads look.  Each step of a merge makes the newer runs
// shorter, so one that goes on between writes takes a step now and then, as
// many as they make necessary.
bool IsCompactionUrgent(const Manifest& manifest);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_PLAN_H_
