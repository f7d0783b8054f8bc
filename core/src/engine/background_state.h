// background_state.h - how far background work is, and what may follow.
//
// docs/internals/store-protocol.md has the same table, with the reasons.

#ifndef ENTITABLE_ENGINE_BACKGROUND_STATE_H_
#define ENTITABLE_ENGINE_BACKGROUND_STATE_H_

#include <array>
#include <cstdint>

#include "base/transitions.h"

namespace entitable {

enum class BackgroundState : std::uint8_t {
  kIdle,         // The window may hold pages for the next step.
  kWantsTurn,    // A step is due, and begins with the next turn of the host.
  kHasTurn,      // That turn has begun.  No call ends here.
  kAwaitsPages,  // A compaction needs pages.
  kFlushing,     // The step is being stored.
  kCompacting,
  // The step was moved, or its outcome is unknown.  The log must be read by a
  // read that begins later.
  kFlushMoved,
  kCompactionMoved,
  kInstalled,  // The step is stored, and the host has told no later time yet.
};

enum class BackgroundEvent : std::uint8_t {
  kDue,         // A step could begin, but the turn has begun with other work.
  kTurnBegins,  // With background work.
  kTurnEnds,    // No step is due any more.
  kPagesMissing,
  kPagesEnd,  // They were fetched, or are not needed any more.
  kFlushSent,
  kCompactionSent,
  kMoved,
  kRefreshed,  // The log was read, and has something new.
  kStored,
  kTimeTold,
  kFailure,  // Of the step.
  kClosing,  // Of the store.
};

inline constexpr auto kBackgroundTable = [] {
  using enum BackgroundState;
  using enum BackgroundEvent;
  return std::to_array<Transition<BackgroundState, BackgroundEvent>>({
      {kDue, {kIdle, kWantsTurn}, kWantsTurn},
      {kTurnBegins, {kWantsTurn}, kHasTurn},
      {kTurnEnds, {kHasTurn}, kIdle},
      {kPagesMissing, {kHasTurn}, kAwaitsPages},
      {kPagesEnd, {kAwaitsPages}, kIdle},
      {kFlushSent, {kHasTurn}, kFlushing},
      {kCompactionSent, {kHasTurn}, kCompacting},
      {kMoved, {kFlushing}, kFlushMoved},
      {kMoved, {kCompacting}, kCompactionMoved},
      {kRefreshed, {kFlushMoved, kCompactionMoved}, kIdle},
      {kStored, {kFlushing, kCompacting}, kInstalled},
      {kTimeTold, {kInstalled}, kIdle},
      {kFailure, AllBut({kIdle, kWantsTurn, kInstalled}), kIdle},
      {kClosing, AllBut({kHasTurn}), kIdle},
  });
}();
static_assert(IsComplete(kBackgroundTable, BackgroundState::kInstalled,
                         BackgroundEvent::kClosing,
                         BackgroundState::kInstalled));

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_BACKGROUND_STATE_H_
