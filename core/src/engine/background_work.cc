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
  if (std::exchange(is_just_installed_, false)) last_step_ = host_.now();
}

bool BackgroundWork::Start(const Activity& activity) {
  has_turn_ = std::exchange(wants_turn_, false);
  is_flush_without_memory_ = false;
  if (activity.must_recover || is_stopped_ || step_ || !awaited_.empty()) {
    return false;
  }
  if (IsPaused() && !MustFlushFirst(activity)) {
    WaitMs(LeftOfMs(memory_wait_ms_, short_of_memory_at_));
    return false;
  }
  // Otherwise flushes could take the pages from it again and again.
  if (window_.held_bytes() > 0 && Compact(activity)) return true;
  const bool is_flush_due =
      store_.IsFlushDue() || MustStall() ||
      (activity.is_room_short && !store_.state().unflushed().empty());
  if (is_flush_due && Flush(activity, limits_.idle_ms)) return true;
  // A flush that must wait puts no compaction off.  Otherwise the store would
  // grow for as long as writes follow each other.
  if (IsPaused()) return false;
  return Compact(activity) ||
         (store_.IsFlushWorthwhile() && Flush(activity, limits_.long_idle_ms));
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
bool BackgroundWork::TakeTurn() {
  wants_turn_ = !has_turn_;
  return has_turn_;
}

bool BackgroundWork::IsPaused() const {
  return store_.state().head() < paused_until_ ||
         LeftOfMs(memory_wait_ms_, short_of_memory_at_) > 0;
}

bool BackgroundWork::MustFlushFirst(const Activity& activity) const {
  return (step_ && is_flush_) ||
         (activity.is_write_waiting && !activity.must_recover && !is_stopped_ &&
          MustStall());
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
  return step_ ||
         (store_.state().manifest().runs.size() > kMaxRunsWhileLoading &&
          !is_stopped_ && !IsPaused() && MayCompact(activity));
}

bool BackgroundWork::Flush(const Activity& activity, double idle_ms) {
  if (!activity.is_log_free) return false;
  const bool is_urgent = store_.IsFlushUrgent() || MustStall();
  if (!is_urgent && WaitUntilIdle(idle_ms)) return false;
  if (LeaveTimeToReads(activity)) return false;
  if (!memory_.MakeRoom(store_.FlushMemory())) {
    is_flush_without_memory_ = MustStall();
    PauseForMemory();
    return false;
  }
  if (!TakeTurn()) return false;
  Send(store_.Flush(), true);
  return true;
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
  if (!TakeTurn()) return false;
  auto step = store_.Compact(window_, activity.is_room_short);
  if (window_.damage()) {
    Pause(kPause);
  } else if (step) {
    Send(*std::move(step), false);
  } else {
    awaited_ = window_.TakeMissing();
    pages_.Want(awaited_);
  }
  return true;
}

void BackgroundWork::Send(BackgroundStep step, bool is_flush) {
  memory_wait_ms_ = 0;
  step.batch.frees = true;
  host_.CommitInBackground(step.batch);
  step_ = std::move(step);
  is_flush_ = is_flush;
  is_moved_ = false;
  sent_version_ = store_.state().version();
  ReleaseWindow();
}

// ------------------------------------------------------------------- outcomes

Result<void> BackgroundWork::Install() {
  is_just_installed_ = true;
  const BackgroundStep step = *std::exchange(step_, std::nullopt);
  ENTITABLE_TRY(store_.Install(step));
  if (memory_.HasRoom(kStepBytes)) {
    store_.cache().TakeWritten(step.batch.puts, step.batch.deletes);
  }
  return {};
}

void BackgroundWork::NoteMoved() {
  is_moved_ = step_.has_value();
  reads_before_move_ = host_.log_reads_begun();
  is_refresh_due_ = true;
}

// If the read has returned anything new, the next step is made from that.
// Otherwise the next step would fail in the same way, again and again, so
// background work pauses.
std::optional<Error> BackgroundWork::EndRefresh(const Result<void>& read,
                                                bool must_recover) {
  // A read that began before the step was moved shows nothing.
  is_refresh_due_ = is_moved_ && reads_before_move_ == host_.log_reads_begun();
  if (!is_moved_ || is_refresh_due_) return std::nullopt;
  const bool is_new = read && store_.state().version() != sent_version_;
  if (!is_new) {
    return Fail(read ? ErrorFor(CommitOutcome::kMoved) : read.error(),
                must_recover);
  }
  step_.reset();
  is_moved_ = false;
  return std::nullopt;
}

std::optional<Error> BackgroundWork::Fail(const Error& reason,
                                          bool must_recover) {
  const bool is_stalling = step_ && is_flush_ && !must_recover && MustStall();
  Pause(kPause);
  return is_stalling ? std::optional(reason) : std::nullopt;
}

void BackgroundWork::TakePages() {
  for (const PageId page : std::exchange(awaited_, {})) window_.Want(page);
  // By the next step, the manifest may name other pages.
  window_.TakeMissing();
}

void BackgroundWork::PagesFailed(const Error& reason) {
  if (awaited_.empty()) return;
  if (reason.code == ErrorCode::kServerBusy) return PauseForMemory();
  Pause(kPause);
}

void BackgroundWork::GiveWay() {
  is_memory_short_ = true;
  if (!awaited_.empty() || window_.held_bytes() > 0) PauseForMemory();
}

void BackgroundWork::PauseForMemory() {
  Drop();
  short_of_memory_at_ = host_.now();
  memory_wait_ms_ =
      std::clamp(2 * memory_wait_ms_, kMemoryWaitMs, kMaxMemoryWaitMs);
  WaitMs(memory_wait_ms_);
}

void BackgroundWork::Pause(std::uint64_t commits) {
  Drop();
  paused_until_ = std::max(paused_until_, store_.state().head() + commits);
}

void BackgroundWork::Drop() {
  step_.reset();
  is_moved_ = false;
  awaited_.clear();
  ReleaseWindow();
}

void BackgroundWork::ReleaseWindow() {
  window_.ReleaseAll();
  window_.ForgetDamage();
}

void BackgroundWork::Reset() {
  Drop();
  wants_turn_ = false;
  is_refresh_due_ = false;
  paused_until_ = 0;
  memory_wait_ms_ = 0;
}

}  // namespace entitable
