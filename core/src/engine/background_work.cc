// When a step may begin, by how much there is to do:
//
//   flush        worthwhile   long_idle_ms after the last change
//                due          idle_ms after the last change
//                urgent       between any two groups
//                stalled      the same; writes wait for it
//   compaction   due          idle_ms after the last change
//                urgent       as soon as it can be stored
//
// Of several steps, a compaction that holds its pages comes first, because
// later flushes could take them away again.  Then come a flush that is due,
// another compaction, and a flush that is only worthwhile.  A step that waits
// does not keep the others from beginning, and the host is told the shortest of
// the times.
//
// Send() and Install() lie in different turns, and the store may change between
// them: another engine may be faster.  That shows as `moved`.  The step is then
// thrown away after a read of the log, and the next one is made from the newer
// state.  If the read shows nothing new, the same step would be moved again for
// ever, so work pauses as after a failure.
//
// A pause ends with the 64th further record, or with the time for memory, which
// doubles up to ten seconds.  Both are ignored when writes wait for a flush.

#include "engine/background_work.h"

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

// After a failed step, this many more commits come before the next attempt.
constexpr std::uint64_t kPause = 64;

// A step that found too little memory is tried again at the next commit, or
// after this time, which doubles with each attempt.
constexpr double kMemoryWaitMs = 50;
constexpr double kMaxMemoryWaitMs = 10'000;

// During an import, compactions wait until there are more runs.  So loaded data
// is rewritten once, not with every step of the import.
constexpr std::size_t kMaxRunsWhileLoading = 100;

// With more runs, background work leaves no time to reads: a read may need a
// page of each run, so it gains more from fewer runs.
constexpr std::size_t kMaxRunsBesideReads = 16;

}  // namespace

// ------------------------------------------------------------------- starting

void BackgroundWork::BeginTurn() {
  wait_ms_ = 0;
  if (state_ != BackgroundState::kInstalled) return;
  Handle(BackgroundEvent::kTimeTold);
  last_step_ = host_.now();
}

bool BackgroundWork::IsMoved() const {
  return state_ == BackgroundState::kFlushMoved ||
         state_ == BackgroundState::kCompactionMoved;
}

bool BackgroundWork::IsFlush() const {
  return state_ == BackgroundState::kFlushing ||
         state_ == BackgroundState::kFlushMoved;
}

bool BackgroundWork::HasStep() const {
  return IsFlush() || IsMoved() || state_ == BackgroundState::kCompacting;
}

BackgroundWork::Started BackgroundWork::Start(const Activity& activity) {
  if (wants_turn()) Handle(BackgroundEvent::kTurnBegins);
  const Started started = StartDue(activity);
  if (state_ == BackgroundState::kHasTurn) Handle(BackgroundEvent::kTurnEnds);
  return started;
}

BackgroundWork::Started BackgroundWork::StartDue(const Activity& activity) {
  const bool is_busy = HasStep() || state_ == BackgroundState::kAwaitsPages;
  if (activity.must_recover || !is_allowed_ || is_busy)
    return Started::kNothing;
  if (IsPaused() && !MustFlushFirst(activity)) {
    WaitMs(LeftOfMs(memory_wait_ms_, short_of_memory_at_));
    return Started::kNothing;
  }
  // Otherwise flushes could take the pages from it again and again.
  if (window_.held_bytes() > 0 && Compact(activity)) return Started::kStep;
  const bool is_flush_due =
      store_.IsFlushDue() || MustStall() ||
      (activity.is_room_short && !store_.state().unflushed().empty());
  if (is_flush_due) {
    const Started flush = Flush(activity, limits_.idle_ms);
    if (flush != Started::kNothing) return flush;
  }
  // A flush that must wait puts no compaction off.  Otherwise the store would
  // grow for as long as writes follow each other.
  if (IsPaused()) return Started::kNothing;
  if (Compact(activity)) return Started::kStep;
  return store_.IsFlushWorthwhile() ? Flush(activity, limits_.long_idle_ms)
                                    : Started::kNothing;
}

// How much of the time is left.  If the clock was set back, nothing is.
double BackgroundWork::LeftOfMs(double ms, DateTime since) const {
  constexpr double kTicksPerMs = 10'000;
  const std::int64_t ticks = host_.now().ticks - since.ticks;
  const double left_ms = ms - static_cast<double>(ticks) / kTicksPerMs;
  return ticks < 0 || left_ms <= 0 ? 0 : left_ms;
}

void BackgroundWork::WaitMs(double ms) {
  // Other background work may be due sooner.
  if (ms > 0 && (wait_ms_ == 0 || ms < wait_ms_)) wait_ms_ = ms;
}

// Background work between two writes would delay the second one.  Returns true
// if the last write was less than `ms` ago.
bool BackgroundWork::WaitUntilIdle(double ms) {
  const double left_ms = LeftOfMs(ms, last_change_);
  WaitMs(left_ms);
  return left_ms > 0;
}

bool BackgroundWork::HasManyRuns() const {
  return store_.state().manifest().runs.size() > kMaxRunsBesideReads;
}

// Returns true if reads have come since the last step, and their time is not
// over.  Writes make the store grow, so steps between writes do not wait.
bool BackgroundWork::LeaveTimeToReads(const Activity& activity) {
  const bool may_wait = activity.reads != reads_before_step_ &&
                        !activity.is_write_waiting && !HasManyRuns() &&
                        LeftOfMs(limits_.idle_ms, last_change_) == 0;
  const double left_ms = may_wait ? LeftOfMs(limits_.idle_ms, last_step_) : 0;
  WaitMs(left_ms);
  if (left_ms > 0) return true;
  reads_before_step_ = activity.reads;
  return false;
}

// Returns false if the step must wait for the next turn.
bool BackgroundWork::ClaimTurn() {
  if (state_ == BackgroundState::kHasTurn) return true;
  Handle(BackgroundEvent::kDue);
  return false;
}

bool BackgroundWork::IsPaused() const {
  return store_.state().head() < paused_until_ ||
         LeftOfMs(memory_wait_ms_, short_of_memory_at_) > 0;
}

bool BackgroundWork::MustFlushFirst(const Activity& activity) const {
  return IsFlush() || (activity.is_write_waiting && !activity.must_recover &&
                       is_allowed_ && MustStall());
}

bool BackgroundWork::MustStall() const {
  return store_.MustStallWrites() ||
         (is_memory_short_ && !store_.state().unflushed().empty());
}

bool BackgroundWork::MayCompact(const Activity& activity) const {
  const bool is_held_off =
      activity.is_importing &&
      store_.state().manifest().runs.size() <= kMaxRunsWhileLoading;
  return !is_held_off && !activity.is_storing_load &&
         store_.IsCompactionDue(activity.is_room_short);
}

bool BackgroundWork::MustCompactFirst(const Activity& activity) const {
  return HasStep() ||
         (store_.state().manifest().runs.size() > kMaxRunsWhileLoading &&
          is_allowed_ && !IsPaused() && MayCompact(activity));
}

BackgroundWork::Started BackgroundWork::Flush(const Activity& activity,
                                              double idle_ms) {
  if (!activity.is_log_free) return Started::kNothing;
  const bool is_urgent = store_.IsFlushUrgent() || MustStall();
  if (!is_urgent && WaitUntilIdle(idle_ms)) return Started::kNothing;
  if (LeaveTimeToReads(activity)) return Started::kNothing;
  if (!memory_.MakeRoom(store_.FlushMemory())) {
    PauseForMemory();
    return MustStall() ? Started::kWithoutMemory : Started::kNothing;
  }
  if (!ClaimTurn()) return Started::kNothing;
  Send(store_.Flush(), BackgroundEvent::kFlushSent);
  return Started::kStep;
}

bool BackgroundWork::Compact(const Activity& activity) {
  if (!MayCompact(activity)) {
    ReleaseWindow();
    return false;
  }
  const bool is_urgent = store_.IsCompactionUrgent();
  if (!is_urgent && WaitUntilIdle(limits_.idle_ms)) return false;
  if (LeaveTimeToReads(activity)) return false;
  if (!memory_.MakeRoom(kStepBytes)) {
    PauseForMemory();
    return false;
  }
  if (!ClaimTurn()) return false;
  auto step = store_.Compact(window_, activity.is_room_short);
  if (window_.damage()) {
    Pause();
  } else if (step) {
    Send(*std::move(step), BackgroundEvent::kCompactionSent);
  } else {
    Handle(BackgroundEvent::kPagesMissing);
    awaited_ = window_.TakeMissing();
    pages_.Want(awaited_);
  }
  return true;
}

void BackgroundWork::Send(BackgroundStep step, BackgroundEvent sent) {
  Handle(sent);
  memory_wait_ms_ = 0;
  step.batch.frees = true;
  host_.CommitInBackground(step.batch);
  step_ = std::move(step);
  sent_version_ = store_.state().version();
  ReleaseWindow();
}

// ------------------------------------------------------------------- outcomes

Result<void> BackgroundWork::Install() {
  Handle(BackgroundEvent::kStored);
  const BackgroundStep step = std::exchange(step_, {});
  ENTITABLE_TRY(store_.Install(step));
  if (memory_.HasRoom(kStepBytes)) {
    store_.cache().AcceptWritten(step.batch.puts, step.batch.deletes);
  }
  return {};
}

void BackgroundWork::NoteMoved() {
  Handle(BackgroundEvent::kMoved);
  reads_before_move_ = host_.log_reads_begun();
}

// If the read has returned anything new, the next step is made from that.
// Otherwise the next step would fail in the same way, again and again, so
// background work pauses.
std::optional<Error> BackgroundWork::EndRefresh(const Result<void>& read,
                                                bool must_recover) {
  // A read that began before the step was moved shows nothing.
  const bool is_later = host_.log_reads_begun() != reads_before_move_;
  if (!IsMoved() || !is_later) return std::nullopt;
  const bool is_new = read && store_.state().version() != sent_version_;
  if (!is_new) {
    return Fail(read ? ErrorFor(CommitOutcome::kMoved) : read.error(),
                must_recover);
  }
  Handle(BackgroundEvent::kRefreshed);
  step_ = {};
  return std::nullopt;
}

std::optional<Error> BackgroundWork::Fail(const Error& reason,
                                          bool must_recover) {
  const bool is_stalling = IsFlush() && !must_recover && MustStall();
  Pause();
  return is_stalling ? std::optional(reason) : std::nullopt;
}

void BackgroundWork::HoldPages() {
  if (state_ != BackgroundState::kAwaitsPages) return;
  Handle(BackgroundEvent::kPagesEnd);
  // By the next step, the manifest may name other pages.
  for (const PageId page : std::exchange(awaited_, {})) window_.Keep(page);
}

void BackgroundWork::PagesFailed(const Error& reason) {
  if (state_ != BackgroundState::kAwaitsPages) return;
  if (reason.code == ErrorCode::kServerBusy) return PauseForMemory();
  Pause();
}

void BackgroundWork::GiveWay() {
  is_memory_short_ = true;
  const bool has_pages =
      state_ == BackgroundState::kAwaitsPages || window_.held_bytes() > 0;
  if (has_pages) PauseForMemory();
}

void BackgroundWork::PauseForMemory() {
  if (state_ == BackgroundState::kAwaitsPages) {
    Handle(BackgroundEvent::kPagesEnd);
  }
  Drop();
  short_of_memory_at_ = host_.now();
  memory_wait_ms_ =
      std::clamp(2 * memory_wait_ms_, kMemoryWaitMs, kMaxMemoryWaitMs);
  WaitMs(memory_wait_ms_);
}

void BackgroundWork::Pause() {
  Handle(BackgroundEvent::kFailure);
  Drop();
  paused_until_ = std::max(paused_until_, store_.state().head() + kPause);
}

void BackgroundWork::Drop() {
  step_ = {};
  awaited_.clear();
  ReleaseWindow();
}

void BackgroundWork::ReleaseWindow() {
  window_.ReleaseAll();
  window_.TakeDamage();
}

void BackgroundWork::Reset() {
  Handle(BackgroundEvent::kClosing);
  Drop();
  paused_until_ = 0;
  memory_wait_ms_ = 0;
}

}  // namespace entitable
