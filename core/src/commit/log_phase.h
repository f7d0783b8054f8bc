// log_phase.h - what the engine is doing with the log, and what may follow.
//
// The log has one channel to the host (host/host_link.h), and one user at a
// time: what opens the store, a commit group, or a refresh.  A part of the
// engine that has done its share of the work returns what has happened, as an
// event, and the table tells the next phase.  docs/internals/store-protocol.md
// has the same table, with the reasons.

#ifndef ENTITABLE_COMMIT_LOG_PHASE_H_
#define ENTITABLE_COMMIT_LOG_PHASE_H_

#include <cstdint>

#include "base/transitions.h"

namespace entitable {

enum class LogPhase : std::uint8_t {
  kClosed,      // No store is open.  The next request opens it.
  kOpening,     // Reads the checkpoint, the manifest and the log.
  kCreating,    // Commits the checkpoint of a new store.
  kReady,       // The log has no user.
  kEvaluating,  // Evaluates the group.  No call of the engine ends here.
  kPaused,      // Evaluates the rest of a step of an import in the next slice.
  kFetching,    // Fetches pages that the group needs.
  kCommitting,  // Commits the group.
  kChecking,    // Reads the newest records, to evaluate the group again.
  kCheckingAlone,  // The same, and keeps other writers out.
  // Reads all unflushed records, to find out whether the group was stored and
  // whether the storage has lost records.  Keeps other writers out, too.
  kRecovering,
  kRepairing,  // Commits the records that the storage has lost.
  // Reads the newest records, for a fresh read (operation.h), after a
  // background step that was moved, or because pages have shown that there are
  // some.
  kRefreshing,
  kEvicted,  // The store is gone.  The engine only answers from memory.
};

enum class LogEvent : std::uint8_t {
  kRequest,       // A request needs the store.
  kStoreFound,    // The store was read.
  kNothingFound,  // The storage has no store, so one is sent to it.
  kCreationEnds,  // The new store is there, or may be there.
  kRefreshDue,
  kRefreshEnds,  // The log was read, or could not be read.
  kGroupBegins,  // Undisturbed.
  kContention,   // A group begins while others write often.
  kDoubt,       // The storage may have lost records, or the group may be in it.
  kSliceSpent,  // Work is left.
  kSliceBegins,    // The next one.
  kPagesMissing,   // The group needs pages.
  kPagesFound,     // It may have all pages now.
  kBehind,         // Fetched pages show that there are newer records.
  kRefusals,       // All writes have failed against a state that may be old.
  kRecordSent,     // The host is asked to store the record of the group.
  kMoved,          // Another engine was faster.
  kDeletionsLeft,  // There is no room for the other writes.
  kNotStored,      // The state is up to date, and the group is not in it.
  kRecordsLost,    // The host is asked to store these records again.
  kGroupEnds,
  kFailure,   // The store cannot be used.  All requests fail.
  kEviction,  // The same, because the store is gone.
};

inline constexpr auto kLogTable = [] {
  using enum LogPhase;
  using enum LogEvent;
  return std::to_array<Transition<LogPhase, LogEvent>>({
      {kRequest, {kClosed}, kOpening},
      {kStoreFound, {kOpening}, kReady},
      {kNothingFound, {kOpening}, kCreating},
      {kCreationEnds, {kCreating}, kOpening},
      {kRefreshDue, {kReady}, kRefreshing},
      {kRefreshEnds, {kRefreshing}, kReady},
      {kGroupBegins, {kReady}, kEvaluating},
      {kContention, {kReady}, kCheckingAlone},
      {kDoubt,
       {kReady, kEvaluating, kCommitting, kCheckingAlone, kRecovering,
        kRepairing},
       kRecovering},
      {kSliceSpent, {kEvaluating}, kPaused},
      {kSliceBegins, {kPaused}, kEvaluating},
      {kPagesMissing, {kEvaluating, kFetching}, kFetching},
      {kPagesFound, {kFetching}, kEvaluating},
      {kBehind, {kPaused, kFetching}, kChecking},
      {kRefusals, {kEvaluating}, kChecking},
      {kRecordSent, {kEvaluating, kCheckingAlone, kRecovering}, kCommitting},
      {kMoved, {kCommitting}, kCheckingAlone},
      {kDeletionsLeft, {kCommitting}, kEvaluating},
      {kNotStored, {kChecking, kCheckingAlone, kRecovering}, kEvaluating},
      {kRecordsLost, {kRecovering}, kRepairing},
      {kGroupEnds,
       {kEvaluating, kFetching, kCommitting, kChecking, kCheckingAlone,
        kRecovering, kRepairing},
       kReady},
      {kFailure, AllBut({kClosed, kEvaluating, kEvicted}), kClosed},
      {kEviction, AllBut({kClosed, kOpening, kCreating, kEvaluating}),
       kEvicted},
  });
}();
static_assert(IsComplete(kLogTable, LogPhase::kEvicted, LogEvent::kEviction,
                         LogPhase::kEvicted));

enum class LogUser : std::uint8_t { kNone, kOpener, kGroup, kRefresh };

constexpr LogUser UserIn(LogPhase phase) {
  switch (phase) {
    case LogPhase::kClosed:
    case LogPhase::kReady:
    case LogPhase::kEvicted:
      return LogUser::kNone;
    case LogPhase::kOpening:
    case LogPhase::kCreating:
      return LogUser::kOpener;
    case LogPhase::kEvaluating:
    case LogPhase::kPaused:
    case LogPhase::kFetching:
    case LogPhase::kCommitting:
    case LogPhase::kChecking:
    case LogPhase::kCheckingAlone:
    case LogPhase::kRecovering:
    case LogPhase::kRepairing:
      return LogUser::kGroup;
    case LogPhase::kRefreshing:
      return LogUser::kRefresh;
  }
  return LogUser::kNone;
}

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_LOG_PHASE_H_
