// compaction.h - makes one run of several, in small steps.

#ifndef ENTITABLE_STORE_COMPACTION_H_
#define ENTITABLE_STORE_COMPACTION_H_

#include <cstddef>
#include <optional>

#include "store/account_state.h"
#include "store/flush.h"
#include "store/page_cache.h"

namespace entitable {

// How many runs there are at most once merging has caught up: so many leaf
// pages a point read has to look into, the worst case.
inline constexpr std::size_t kMaxRuns = 3;

// The rows and bytes of all newer runs together are at most one part in so many
// of the oldest one, or all are merged into it.  What is dead in storage is so
// bounded: (1 + 1/6) / (1 - 1/6) = 1.4 times what lives.
inline constexpr std::uint64_t kOldestRatio = 6;

// Whether a merge is under way, or should begin.
bool IsCompactionDue(const AccountState& state, bool is_room_short);

// The next step of a few pages, from the key on where the step
// before it stopped; begins a merge when none is under way.  Nothing when pages
// lack, and the window knows which.  Only when a merge is due.
std::optional<BackgroundStep> Compact(const AccountState& state,
                                      const StoreLimits& limits,
                                      PageWindow& window, bool is_room_short);

}  // namespace entitable

#endif  // ENTITABLE_STORE_COMPACTION_H_
