#include <utility>

#include "engine/catch_up.h"
#include "engine/engine_impl.h"
#include "store/merge.h"
#include "store/merge_plan.h"

namespace entitable {
namespace {

// After a step was refused, so many more commits come before the next attempt.
constexpr std::uint64_t kPause = 64;

// While an import goes on merges wait until there are more runs, so that what
// is loaded is rewritten once rather than with every step.
constexpr std::size_t kMaxRunsWhileLoading = 100;

}  // namespace

// One step at a time, at a time when nothing else is to be done.  A fold moves
// the base, which commits expect to stay: it waits for a round to end.  What
// the storage may have lost is looked for first: a record that is lost, but in
// pages, would leave a gap for those who catch up from the log.
bool Engine::Impl::StartUpkeep() {
  if (must_heal_ || is_upkeep_stopped_ || upkeep_ || is_merge_waiting_)
    return false;
  if (IsUpkeepPaused() && !MustFoldFirst()) return false;
  const bool is_fold_due = IsFoldDue(*state_, options_.store) ||
                           (is_room_short_ && !state_->tail().empty());
  if (is_fold_due) return StartFold(options_.store.quiet_ms);
  return ContinueMerge() || (IsFoldWorthwhile(*state_, options_.store) &&
                             StartFold(options_.store.rest_ms));
}

// Between two writes, upkeep would make the second one wait.  True while the
// last one is less than so long ago; a clock that was set back does not tell.
bool Engine::Impl::LetRest(double ms) {
  constexpr double kTicksPerMs = 10'000;
  const std::int64_t ticks = now_.ticks - last_change_.ticks;
  const double rest = ms - static_cast<double>(ticks) / kTicksPerMs;
  if (ticks < 0 || rest <= 0) return false;
  // Something else may be due sooner.
  if (upkeep_in_ms_ == 0 || rest < upkeep_in_ms_) upkeep_in_ms_ = rest;
  return true;
}

bool Engine::Impl::IsUpkeepPaused() const {
  return state_->head() < upkeep_paused_until_;
}

// The log must not grow without end: writes then wait until a fold is stored,
// and are answered with the reason when it cannot be.
bool Engine::Impl::MustFoldFirst() const {
  const bool is_waiting = !writes_.empty() || IsLoadWaiting();
  return (upkeep_ && is_fold_) ||
         (is_waiting && !must_heal_ && !is_upkeep_stopped_ &&
          IsFoldOverdue(*state_, options_.store));
}

// A load puts a root, as a merge does: never both at a time.
bool Engine::Impl::MayMerge() const {
  const bool is_held_off =
      !imports_.empty() && state_->root().runs.size() <= kMaxRunsWhileLoading;
  return !is_held_off && round_.load == nullptr &&
         IsMergeDue(*state_, is_room_short_);
}

bool Engine::Impl::MustMergeFirst() const {
  return upkeep_ || (state_->root().runs.size() > kMaxRunsWhileLoading &&
                     !is_upkeep_stopped_ && !IsUpkeepPaused() && MayMerge());
}

bool Engine::Impl::StartFold(double quiet_ms) {
  if (phase_ != Phase::kReady) return false;
  const bool is_pressing = IsFoldPressing(*state_, options_.store);
  if (!is_pressing && LetRest(quiet_ms)) return false;
  SendUpkeep(Fold(*state_, options_.store), true);
  return true;
}

bool Engine::Impl::ContinueMerge() {
  is_merge_waiting_ = false;
  if (!MayMerge()) {
    merge_window_.reset();
    return false;
  }
  const bool is_pressing = IsMergePressing(state_->root());
  if (!is_pressing && LetRest(options_.store.quiet_ms)) return false;
  if (!merge_window_) {
    merge_window_ =
        std::make_unique<PageWindow>(cache_, PageWindow::Hold::kForever);
  }
  auto step = Merge(*state_, options_.store, *merge_window_, is_room_short_);
  if (const auto damage = merge_window_->damage()) {
    FailUpkeep(*damage);
  } else if (step) {
    SendUpkeep(*std::move(step), false);
  } else {
    pages_.Want(merge_window_->TakeMissing());
    is_merge_waiting_ = true;
  }
  return true;
}

void Engine::Impl::SendUpkeep(Upkeep upkeep, bool is_fold) {
  upkeep_io_ = ++last_io_;
  upkeep.batch.is_freeing = true;
  steps_.push_back(Commit{upkeep_io_, std::move(upkeep.batch)});
  upkeep_ = std::move(upkeep);
  upkeep_version_ = state_->version();
  is_fold_ = is_fold;
  merge_window_.reset();
}

void Engine::Impl::SettleUpkeep(CommitOutcome outcome) {
  upkeep_io_ = 0;
  reads_before_move_ = looks_begun_;
  switch (outcome) {
    case CommitOutcome::kOk:
      return TakeUpkeep();
    case CommitOutcome::kUnknown:
      must_heal_ = true;
      if (RecallCommit()) Heal();
      [[fallthrough]];
    case CommitOutcome::kMoved:
      // What is there now counts: EndRefresh().
      is_refresh_due_ = true;
      return;
    case CommitOutcome::kQuota:
    case CommitOutcome::kRefused:
      return FailUpkeep(ErrorFor(outcome));
  }
}

void Engine::Impl::TakeUpkeep() {
  const Upkeep done = *std::exchange(upkeep_, std::nullopt);
  if (is_fold_) state_->ForgetVoids();
  // Or somebody went on from there, and a read has told us so already.
  if (state_->root().epoch >= done.epoch) return;
  const auto progress = state_->progress();
  auto taken =
      done.base ? state_->AdoptBase(done.base, progress) : Result<void>();
  if (taken) taken = state_->AdoptRoot(done.root, progress);
  if (!taken) FailAll(taken.error());
}

void Engine::Impl::FailUpkeep(const Error& reason) {
  const bool must_fold = upkeep_ && is_fold_ && !must_heal_;
  upkeep_.reset();
  merge_window_.reset();
  is_merge_waiting_ = false;
  upkeep_paused_until_ = state_->head() + kPause;
  if (must_fold && IsFoldOverdue(*state_, options_.store)) FailWaiting(reason);
}

void Engine::Impl::Refresh(const Snapshot& snapshot) {
  phase_ = Phase::kReady;
  const std::uint64_t old_head = state_->head();
  const auto caught_up = CatchUp(snapshot, asked_at_, *state_);
  if (!caught_up) return FailAll(caught_up.error());
  if (state_->head() > old_head) last_change_ = now_;
  EndRefresh({});
}

// A step of upkeep that was moved is made anew from what was read.  Where
// nothing was, because the read failed or there is nothing new, it would end in
// the same way, and be tried again at once, for ever.
void Engine::Impl::EndRefresh(const Result<void>& read) {
  const bool was_moved = upkeep_ && upkeep_io_ == 0;
  is_refresh_due_ = was_moved && reads_before_move_ == looks_begun_;
  if (!was_moved || is_refresh_due_) return;
  const bool is_new = read && state_->version() != upkeep_version_;
  if (is_new) return upkeep_.reset();
  FailUpkeep(read ? ErrorFor(CommitOutcome::kMoved) : read.error());
}

}  // namespace entitable
