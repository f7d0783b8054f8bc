#include <utility>

#include "engine/catch_up.h"
#include "engine/engine_impl.h"
#include "store/compaction.h"
#include "store/compaction_plan.h"

namespace entitable {
namespace {

// After a failed step, this many more commits come before the next attempt.
constexpr std::uint64_t kPause = 64;

// During an import, compactions wait until there are more runs.  So loaded data
// is rewritten once, not with every step of the import.
constexpr std::size_t kMaxRunsWhileLoading = 100;

}  // namespace

// Starts at most one step, when there is nothing else to do.  A flush changes
// the checkpoint, which commits expect to be unchanged, so it waits for the end
// of a commit group.  Recovery comes first: if the storage lost a record whose
// rows are already in pages, engines that catch up from the log would find a
// gap.
bool Engine::Impl::StartBackgroundWork() {
  if (must_recover_ || is_background_work_stopped_ || background_step_ ||
      is_compaction_waiting_)
    return false;
  if (IsBackgroundWorkPaused() && !MustFlushFirst()) return false;
  const bool is_flush_due = IsFlushDue(*state_, options_.store) ||
                            (is_room_short_ && !state_->unflushed().empty());
  if (is_flush_due) return StartFlush(options_.store.idle_ms);
  return ContinueCompaction() || (IsFlushWorthwhile(*state_, options_.store) &&
                                  StartFlush(options_.store.long_idle_ms));
}

// Background work between two writes would delay the second one.  Returns true
// if the last write was less than `ms` ago.  If the clock was set back, the
// work does not wait.
bool Engine::Impl::WaitUntilIdle(double ms) {
  constexpr double kTicksPerMs = 10'000;
  const std::int64_t ticks = now_.ticks - last_change_.ticks;
  const double left_ms = ms - static_cast<double>(ticks) / kTicksPerMs;
  if (ticks < 0 || left_ms <= 0) return false;
  // Other background work may be due sooner.
  if (background_work_in_ms_ == 0 || left_ms < background_work_in_ms_)
    background_work_in_ms_ = left_ms;
  return true;
}

bool Engine::Impl::IsBackgroundWorkPaused() const {
  return state_->head() < background_work_paused_until_;
}

// The log must not grow without bound.  Writes wait until a flush is stored,
// and fail if it cannot be stored (a write stall).
bool Engine::Impl::MustFlushFirst() const {
  const bool is_waiting = !writes_.empty() || IsLoadWaiting();
  return (background_step_ && is_flush_) ||
         (is_waiting && !must_recover_ && !is_background_work_stopped_ &&
          MustStallWrites(*state_, options_.store));
}

// A bulk load replaces the manifest, as a compaction does.  The two must not
// run at the same time.
bool Engine::Impl::MayCompact() const {
  const bool is_held_off =
      !imports_.empty() &&
      state_->manifest().runs.size() <= kMaxRunsWhileLoading;
  return !is_held_off && group_.load == nullptr &&
         IsCompactionDue(*state_, is_room_short_);
}

bool Engine::Impl::MustCompactFirst() const {
  return background_step_ ||
         (state_->manifest().runs.size() > kMaxRunsWhileLoading &&
          !is_background_work_stopped_ && !IsBackgroundWorkPaused() &&
          MayCompact());
}

bool Engine::Impl::StartFlush(double idle_ms) {
  if (phase_ != Phase::kReady) return false;
  const bool is_urgent = IsFlushUrgent(*state_, options_.store);
  if (!is_urgent && WaitUntilIdle(idle_ms)) return false;
  SendBackgroundStep(Flush(*state_, options_.store), true);
  return true;
}

bool Engine::Impl::ContinueCompaction() {
  is_compaction_waiting_ = false;
  if (!MayCompact()) {
    compaction_window_.reset();
    return false;
  }
  const bool is_urgent = IsCompactionUrgent(state_->manifest());
  if (!is_urgent && WaitUntilIdle(options_.store.idle_ms)) return false;
  if (!compaction_window_) {
    compaction_window_ =
        std::make_unique<PageWindow>(cache_, PageWindow::Hold::kForever);
  }
  auto step =
      Compact(*state_, options_.store, *compaction_window_, is_room_short_);
  if (const auto damage = compaction_window_->damage()) {
    FailBackgroundStep(*damage);
  } else if (step) {
    SendBackgroundStep(*std::move(step), false);
  } else {
    pages_.Want(compaction_window_->TakeMissing());
    is_compaction_waiting_ = true;
  }
  return true;
}

void Engine::Impl::SendBackgroundStep(BackgroundStep step, bool is_flush) {
  background_io_ = ++last_io_;
  step.batch.is_freeing = true;
  steps_.push_back(Commit{background_io_, std::move(step.batch)});
  background_step_ = std::move(step);
  background_state_version_ = state_->version();
  is_flush_ = is_flush;
  compaction_window_.reset();
}

void Engine::Impl::CompleteBackgroundStep(CommitOutcome outcome) {
  background_io_ = 0;
  reads_before_move_ = refreshes_begun_;
  switch (outcome) {
    case CommitOutcome::kOk:
      return InstallBackgroundStep();
    case CommitOutcome::kUnknown:
      must_recover_ = true;
      if (RecallCommit()) Recover();
      [[fallthrough]];
    case CommitOutcome::kMoved:
      // EndRefresh() uses what is in storage now.
      is_refresh_due_ = true;
      return;
    case CommitOutcome::kQuota:
    case CommitOutcome::kRefused:
      return FailBackgroundStep(ErrorFor(outcome));
  }
}

void Engine::Impl::InstallBackgroundStep() {
  const BackgroundStep done = *std::exchange(background_step_, std::nullopt);
  if (is_flush_) state_->ForgetOrphans();
  // The state in storage counts, whoever stored it.
  if (state_->manifest().version >= done.manifest_version) return;
  const auto progress = state_->progress();
  auto taken = done.checkpoint
                   ? state_->InstallCheckpoint(done.checkpoint, progress)
                   : Result<void>();
  if (taken) taken = state_->InstallManifest(done.manifest, progress);
  if (!taken) FailAll(taken.error());
}

void Engine::Impl::FailBackgroundStep(const Error& reason) {
  const bool must_flush = background_step_ && is_flush_ && !must_recover_;
  background_step_.reset();
  compaction_window_.reset();
  is_compaction_waiting_ = false;
  background_work_paused_until_ = state_->head() + kPause;
  if (must_flush && MustStallWrites(*state_, options_.store))
    FailWaiting(reason);
}

void Engine::Impl::Refresh(const Snapshot& snapshot) {
  phase_ = Phase::kReady;
  const std::uint64_t old_head = state_->head();
  const auto caught_up = CatchUp(snapshot, asked_at_, *state_);
  if (!caught_up) return FailAll(caught_up.error());
  if (state_->head() > old_head) last_change_ = now_;
  EndRefresh({});
}

// Another engine may have stored a newer manifest, and a read may have returned
// it already.
void Engine::Impl::EndRefresh(const Result<void>& read) {
  const bool was_moved = background_step_ && background_io_ == 0;
  is_refresh_due_ = was_moved && reads_before_move_ == refreshes_begun_;
  if (!was_moved || is_refresh_due_) return;
  const bool is_new = read && state_->version() != background_state_version_;
  if (is_new) return background_step_.reset();
  FailBackgroundStep(read ? ErrorFor(CommitOutcome::kMoved) : read.error());
}

}  // namespace entitable
   // step is made from that.  Otherwise the next step would fail in the same
   // way, again and again, so background work pauses.
