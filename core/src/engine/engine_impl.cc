#include "engine/engine_impl.h"

#include <algorithm>
#include <utility>

namespace entitable {

Engine::Impl::Impl(EngineOptions options) : options_(std::move(options)) {
  work_.Refill(options_.work.slice_units);
}

// --------------------------------------------------------------------- turns

Step Engine::Impl::Run(double unix_milliseconds) {
  host_.set_now(std::min(DateTime::FromUnixMilliseconds(unix_milliseconds),
                         kLatestClock));
  commits_.BeginTurn();
  BeginRun();
  do {
    background_.BeginTurn();
    if (auto step = host_.TakeStep()) return *std::move(step);
  } while (Advance());
  if (MustYield()) return Yield{};
  return Idle{background_.wait_ms()};
}

void Engine::Impl::BeginRun() {
  if (!std::exchange(must_yield_, false)) return;
  work_.Refill(options_.work.slice_units);
  is_turn_of_background_ = background_.wants_turn();
  if (!is_turn_of_background_) is_turn_of_import_ = !is_turn_of_import_;
}

bool Engine::Impl::IsSliceOver() {
  return work_.is_spent() &&
         (reads_.HasRunnable() || phase_ == LogPhase::kPaused);
}

bool Engine::Impl::MustYield() {
  must_yield_ = IsSliceOver() || background_.wants_turn();
  return must_yield_;
}

// Requests come first, then the pages that they need, then background work.  A
// step of it begins the next turn, as the slice of that turn.
bool Engine::Impl::Advance() {
  if (phase_ == LogPhase::kClosed) {
    if (!HasRequests()) return false;
    Handle(LogEvent::kRequest);
    return true;
  }
  if (!store_.is_open()) return false;
  if (memory_.TakeShortage()) background_.GiveWay();
  if (background_.wants_turn() &&
      background_.Start(activity()) == BackgroundWork::Started::kStep) {
    work_.EndSlice();
    return true;
  }
  const bool has_slice = phase_ == LogPhase::kPaused && !work_.is_spent();
  if (!(has_slice && is_turn_of_import_) && reads_.Advance()) return true;
  if (has_slice) {
    Handle(LogEvent::kSliceBegins);
    return true;
  }
  if (phase_ == LogPhase::kEvicted) {
    if (!HasRequests() || reads_.HasRunnable()) return false;
    FailAll(Error(ErrorCode::kStorageEvicted));
    return true;
  }
  if (phase_ == LogPhase::kReady && IsRefreshDue()) {
    Handle(LogEvent::kRefreshDue);
    return true;
  }
  if (IsTurnOfWrite() && StartOrFailGroup()) return true;
  if (FetchPages()) return true;
  // Two turns of background work do not follow each other while requests wait.
  if (is_turn_of_background_ && IsSliceOver()) return false;
  switch (background_.Start(activity())) {
    case BackgroundWork::Started::kStep:
      return true;
    case BackgroundWork::Started::kNothing:
      return false;
    case BackgroundWork::Started::kWithoutMemory:
      break;
  }
  if (!IsTurnOfWrite()) return false;
  FailNextWrite(Error(ErrorCode::kServerBusy));
  return true;
}

bool Engine::Impl::IsTurnOfWrite() const {
  return phase_ == LogPhase::kReady &&
         (commits_.has_waiting() || IsTurnOfLoad());
}

// Returns false if the write must wait for a flush.
bool Engine::Impl::StartOrFailGroup() {
  const bool has_memory =
      memory_.MakeRoom(GroupMemory(commits_.next_group_bytes()));
  background_.SetMemoryShort(!has_memory);
  if (background_.MustFlushFirst(activity())) return false;
  if (has_memory) {
    StartGroup();
  } else {
    FailNextWrite(Error(ErrorCode::kServerBusy));
  }
  return true;
}

bool Engine::Impl::HasRequests() const {
  return !reads_.is_empty() || commits_.has_waiting() ||
         imports_.is_step_waiting();
}

bool Engine::Impl::IsRefreshDue() const {
  return is_catch_up_due_ || background_.is_refresh_due() ||
         reads_.is_awaiting_refresh();
}

bool Engine::Impl::IsTurnOfLoad() const {
  return imports_.IsTurn(commits_.has_waiting()) &&
         !background_.MustCompactFirst(activity());
}

Activity Engine::Impl::activity() const {
  return {
      .is_log_free = phase_ == LogPhase::kReady,
      .is_write_waiting = commits_.has_waiting() || imports_.is_step_waiting(),
      .is_importing = !imports_.is_empty(),
      .is_storing_load = commits_.is_storing_load(),
      .must_recover = commits_.must_recover(),
      .is_room_short = commits_.is_room_short(),
      .reads = reads_.visited_reads(),
  };
}

void Engine::Impl::FailNextWrite(const Error& reason) {
  if (IsTurnOfLoad()) return imports_.Fail(reason);
  commits_.FailNext(reason);
}

void Engine::Impl::StartGroup() {
  background_.NoteChange();
  LoadStep* load = nullptr;
  if (IsTurnOfLoad()) {
    load = imports_.TakeStep();
  } else {
    imports_.PassTurn();
  }
  Handle(commits_.Start(load));
}

bool Engine::Impl::FetchPages() {
  // If the state is behind, the pages may only be missing because of that.  The
  // refresh comes first.
  const bool is_too_early =
      (is_catch_up_due_ || background_.is_refresh_due()) &&
      store_.state().is_behind();
  if (!pages_.is_due() || is_too_early) return false;
  host_.ReadPages(pages_.Begin(store_));
  return true;
}

// ----------------------------------------------------------- the log channel

void Engine::Impl::Handle(LogEvent event) {
  phase_ = Next(kLogTable, phase_, event);
  switch (phase_) {
    case LogPhase::kOpening:
      return host_.ReadLog(Store::OpeningKeys(), 0, /*is_exclusive=*/false);
    case LogPhase::kChecking:
    case LogPhase::kRefreshing:
      return ReadLog(store_.state().head());
    case LogPhase::kCheckingAlone:
      return ReadLog(store_.state().head(), /*is_exclusive=*/true);
    case LogPhase::kRecovering:
      return ReadLog(store_.state().manifest().number, /*is_exclusive=*/true);
    case LogPhase::kEvaluating:
      return Handle(commits_.Evaluate());
    case LogPhase::kClosed:
    case LogPhase::kCreating:
    case LogPhase::kReady:
    case LogPhase::kPaused:
    case LogPhase::kFetching:
    case LogPhase::kCommitting:
    case LogPhase::kRepairing:
    case LogPhase::kEvicted:
      return;
  }
}

void Engine::Impl::Handle(Result<LogEvent> event) {
  if (!event) return FailAll(event.error());
  Handle(*event);
}

void Engine::Impl::ReadLog(std::uint64_t records_after, bool is_exclusive) {
  if (store_.is_open()) asked_at_ = store_.progress();
  host_.ReadLog(Store::Keys(), records_after, is_exclusive);
}

bool Engine::Impl::Supply(ReadId id, Snapshot snapshot) {
  if (host_.EndPageRead(id)) {
    AcceptPages(std::move(snapshot));
    return false;
  }
  if (!host_.EndLogRead(id)) return false;
  host_.NoteLogRead();
  reads_.EndRefresh();
  switch (UserIn(phase_)) {
    case LogUser::kOpener:
      Open(snapshot);
      break;
    case LogUser::kGroup:
      ContinueGroup(snapshot);
      break;
    case LogUser::kRefresh:
      Refresh(snapshot);
      break;
    case LogUser::kNone:
      break;
  }
  const bool is_committing =
      phase_ == LogPhase::kCommitting || phase_ == LogPhase::kRepairing;
  return host_.Release() && is_committing;
}

void Engine::Impl::ReadFailed(ReadId id, const Error& reason) {
  if (host_.EndPageRead(id)) return PagesFailed(reason);
  if (!host_.EndLogRead(id)) return;
  switch (UserIn(phase_)) {
    case LogUser::kOpener:
      return FailAll(reason);
    case LogUser::kGroup:
      commits_.EndContention();
      return Handle(phase_ == LogPhase::kRecovering
                        ? commits_.FailGroupOrNext(reason)
                        : commits_.Fail(reason));
    case LogUser::kRefresh:
      // The next commit finds out whether anything is new.
      Handle(LogEvent::kRefreshEnds);
      EndRefresh(reason);
      return reads_.FailAwaitingRefresh(reason);
    case LogUser::kNone:
      return;
  }
}

void Engine::Impl::Complete(CommitId id, CommitOutcome outcome) {
  if (host_.EndBackgroundCommit(id)) return CompleteBackgroundStep(outcome);
  if (!host_.EndLogCommit(id)) return;
  switch (UserIn(phase_)) {
    case LogUser::kOpener:
      return Handle(opener_.CompleteCreation(outcome));
    case LogUser::kGroup:
      if (phase_ == LogPhase::kRepairing) {
        return Handle(commits_.CompleteLogRepair(outcome));
      }
      // There may be room for background work by now.
      if (outcome == CommitOutcome::kQuota) background_.Resume();
      return Handle(commits_.Complete(outcome));
    case LogUser::kRefresh:
    case LogUser::kNone:
      return;
  }
}

// Returns false if the account is closed now.
bool Engine::Impl::CatchUpWith(const Snapshot& snapshot) {
  const auto caught_up = store_.CatchUp(snapshot, asked_at_);
  if (caught_up) {
    EndRefresh({});
  } else {
    FailAll(caught_up.error());
  }
  return caught_up.has_value();
}

void Engine::Impl::ContinueGroup(const Snapshot& snapshot) {
  const std::uint64_t old_head = store_.state().head();
  if (!CatchUpWith(snapshot)) return;
  commits_.NoteContention(old_head);
  if (phase_ == LogPhase::kRecovering) {
    return Handle(commits_.ContinueRecovered(snapshot));
  }
  Handle(commits_.ContinueChecked());
}

void Engine::Impl::Refresh(const Snapshot& snapshot) {
  Handle(LogEvent::kRefreshEnds);
  const std::uint64_t old_head = store_.state().head();
  if (!CatchUpWith(snapshot)) return;
  if (store_.state().head() > old_head) background_.NoteChange();
}

void Engine::Impl::EndRefresh(const Result<void>& read) {
  is_catch_up_due_ = false;
  FailStalled(background_.EndRefresh(read, commits_.must_recover()));
}

// -------------------------------------------------------- the other channels

// All that wait look for their pages again, before any fetched page can leave
// the cache.
void Engine::Impl::AcceptPages(Snapshot snapshot) {
  if (!memory_.MakeRoom(kStepBytes)) {
    // The reads would find no memory for their work.
    if (pages_.Narrow()) return;
    background_.GiveWay();
  }
  const auto taken = pages_.Finish(std::move(snapshot), store_);
  if (!taken) return FailAll(taken.error());
  const bool is_behind = store_.state().is_behind();
  is_catch_up_due_ |= is_behind;
  reads_.ContinueWithPages();
  const bool is_paused = phase_ == LogPhase::kPaused;
  if (phase_ == LogPhase::kFetching || (is_paused && is_behind)) {
    Handle(is_behind ? LogEvent::kBehind : commits_.ContinueWithPages());
  }
  background_.HoldPages();
  store_.cache().Trim();
}

void Engine::Impl::PagesFailed(const Error& reason) {
  // There was not enough memory for all of the pages.
  if (reason.code == ErrorCode::kServerBusy && pages_.Narrow()) return;
  pages_.Abandon();
  reads_.FailWaitingForPages(reason);
  if (phase_ == LogPhase::kFetching) Handle(commits_.Fail(reason));
  background_.PagesFailed(reason);
}

void Engine::Impl::CompleteBackgroundStep(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      if (auto installed = background_.Install(); !installed) {
        FailAll(installed.error());
      }
      return;
    case CommitOutcome::kUnknown:
      background_.NoteMoved();
      commits_.RequireRecovery();
      if (host_.RecallCommit()) Handle(LogEvent::kDoubt);
      return;
    case CommitOutcome::kMoved:
      return background_.NoteMoved();
    case CommitOutcome::kQuota:
    case CommitOutcome::kRefused:
      return FailStalled(
          background_.Fail(ErrorFor(outcome), commits_.must_recover()));
  }
}

void Engine::Impl::FailStalled(const std::optional<Error>& reason) {
  if (reason) commits_.FailWaiting(*reason);
}

// --------------------------------------------------------------- the account

void Engine::Impl::Open(const Snapshot& snapshot) {
  const auto next = opener_.Open(snapshot);
  if (store_.is_open()) {
    reads_.ForgetTable();
    background_.NoteChange();
  }
  Handle(next);
}

void Engine::Impl::FailAll(const Error& reason) {
  // The storage may still store what it was handed.
  const bool is_sent = phase_ == LogPhase::kCommitting && !host_.RecallCommit();
  host_.Reset();
  commits_.FailAll(reason, is_sent);
  reads_.FailAll(reason);
  pages_.Abandon();
  background_.Reset();
  is_catch_up_due_ = false;
  opener_.Reset();
  // An empty store must not be taken for this one.  The memory of this engine
  // may hold all that is left of the store, if it has read any of it.
  if (reason.code == ErrorCode::kStorageEvicted && store_.is_open()) {
    return Handle(LogEvent::kEviction);
  }
  store_.Close();
  Handle(LogEvent::kFailure);
}

}  // namespace entitable
