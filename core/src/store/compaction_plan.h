// compaction_plan.h - decides which runs to compact, and when.

#ifndef ENTITABLE_STORE_COMPACTION_PLAN_H_
#define ENTITABLE_STORE_COMPACTION_PLAN_H_

#include <cstddef>

#include "store/manifest.h"

namespace entitable {

// How many of the newest runs to compact into one; 0 if there is nothing to do.
// The first rule that applies decides:
//
// - Compact all runs if the newer runs together have at least a sixth of the
//   size of the oldest run, if dropped tables have a sixth of the size of all
//   runs, or if there are many dropped tables.  Only this removes tombstones.
// - If there are more than kMaxRuns runs: compact the two newest, and then each
//   next run that is at most six times as large as the runs before it.
//
// With `is_room_short`, compact all runs whenever that may free space.
std::size_t RunsToCompact(const Manifest& manifest, bool is_room_short);

// Whether a due compaction must not wait for the store to be idle.  This is so
// when the newer runs have a fifth of the size of the oldest, or dropped tables
// have a fifth of the whole: the stored data is then (1 + 1/5) / (1 - 1/5) =
// 1.5 times the live data.  It is also so when there are more than twice
// kMaxRuns runs.  Each compaction step makes the newer runs smaller, so under a
// constant load of writes the engine takes only as many steps as necessary.
bool IsCompactionUrgent(const Manifest& manifest);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_PLAN_H_
