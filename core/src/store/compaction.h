// compaction.h - rewrites several sorted runs as one, in small steps.
//
// A compaction takes the newest runs (its inputs) and writes one run (its
// output).  It keeps only the newest state of each row.  If the oldest run is
// among the inputs, the output also drops tombstones and the rows of dropped
// tables.
//
// Each step writes a few pages and stores them in one batch with a new
// manifest.  The manifest records how far the compaction has come: each input
// run gives up the rows that are already in the output.  So a compaction
// survives crashes, and any engine that has the store open can take the next
// step.

#ifndef ENTITABLE_STORE_COMPACTION_H_
#define ENTITABLE_STORE_COMPACTION_H_

#include <cstddef>
#include <optional>

#include "store/account_state.h"
#include "store/flush.h"
#include "store/page_cache.h"

namespace entitable {

// The most runs after compaction has caught up.  This is also the number of
// leaf pages that a point read examines in the worst case.
inline constexpr std::size_t kMaxRuns = 3;

// The newer runs together hold at most 1/kOldestRatio of the rows and bytes of
// the oldest run; otherwise all runs are compacted.  This bounds the stored
// data to (1 + 1/6) / (1 - 1/6) = 1.4 times the live data.
inline constexpr std::uint64_t kOldestRatio = 6;

// Whether a compaction is in progress or should begin.
bool IsCompactionDue(const AccountState& state, bool is_room_short);

// Makes the next step of a few pages, from the key where the last step stopped.
// Begins a compaction if none is in progress.  Returns nothing if pages are
// missing; the window then knows which.  Call it only if IsCompactionDue().
std::optional<BackgroundStep> Compact(const AccountState& state,
                                      const StoreLimits& limits,
                                      PageWindow& window, bool is_room_short);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_H_
