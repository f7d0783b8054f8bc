#include <algorithm>
#include <cassert>
#include <cstdint>
#include <utility>
#include <variant>

#include "engine/catch_up.h"
#include "engine/engine_impl.h"
#include "engine/write.h"

namespace entitable {
namespace {

// How often a commit of unknown outcome is looked for before we give up and say
// so.
constexpr int kMaxAttempts = 3;

// So long after a record of somebody else we hold others off while we commit:
// 50 ms.  Without that, who needs longer than the others loses every race.
constexpr std::int64_t kContentionTicks = 500'000;

bool IsFreeing(const LogRecord& record) {
  return std::ranges::all_of(record.changes, [](const Change& change) {
    return std::holds_alternative<EntityDeleted>(change) ||
           std::holds_alternative<TableDropped>(change);
  });
}

}  // namespace

void Engine::Impl::FailWaiting(const Error& reason) {
  for (const PendingWrite& write : writes_) {
    Refuse(write.id, reason);
  }
  writes_.clear();
  FailImports(reason);
}

void Engine::Impl::RefuseWrite(const Error& reason) {
  if (IsTurnOfLoad()) return FailImports(reason);
  Refuse(writes_.front().id, reason);
  writes_.pop_front();
}

// A step of an import is a round of its own.
void Engine::Impl::StartGroup() {
  group_.commit = ++last_commit_;
  last_change_ = now_;
  was_load_ = IsTurnOfLoad();
  if (was_load_) group_.load = TakeLoad();
  if (must_recover_) return Recover();
  if (IsContended() && !was_load_) {
    return StartReading(Phase::kChecking, state_->head(), true);
  }
  EvaluateGroup();
}

// A clock that was set back must not make it last.
bool Engine::Impl::IsContended() const {
  const std::int64_t left = contended_until_.ticks - now_.ticks;
  return left > 0 && left <= kContentionTicks;
}

void Engine::Impl::NoteContention(std::uint64_t old_head) {
  const auto& unflushed = state_->unflushed();
  const bool is_ours =
      !unflushed.empty() && unflushed.back().author.session == options_.session;
  if (state_->head() > old_head && !is_ours) {
    contended_until_ = {now_.ticks + kContentionTicks};
  }
}

// Against the newest state.  What an earlier evaluation made of the round can
// no longer be stored, because its place in the log is taken.
void Engine::Impl::EvaluateGroup() {
  if (stored_version_ != state_->manifest_changes()) stored_.Clear();
  stored_version_ = state_->manifest_changes();
  group_.is_in_doubt = false;
  group_.value.clear();
  do {
    Staging staging(*state_, stored_);
    group_.outcomes.clear();
    stored_.BeginFirst();
    if (group_.load != nullptr) {
      group_.outcomes.push_back(group_.load->Evaluate(now_, options_, staging));
    } else {
      EvaluateWrites(staging);
    }
    if (!stored_.is_missing() && !stored_.window().is_waiting()) {
      return FinishEvaluation(std::move(staging));
    }
  } while (!stored_.window().is_waiting() && stored_.Resolve(*state_));
  pages_.Want(stored_.window().TakeMissing());
  phase_ = Phase::kFetching;
}

// As many as share a record: until the texts of the operations, what they
// change, or the rows that they need are as much as one may have.  The round
// may lose writes by that, never all, and gets others while it may.
void Engine::Impl::EvaluateWrites(Staging& staging) {
  const bool may_grow = !group_.is_head_checked && !group_.is_for_deletions;
  const std::size_t most = may_grow ? SIZE_MAX : group_.writes.size();
  writes_.splice(writes_.begin(), group_.writes);
  std::size_t text_bytes = 0;
  while (!writes_.empty() && group_.writes.size() < most) {
    const PendingWrite& next = writes_.front();
    const bool is_first = group_.writes.empty();
    const bool was_missing = stored_.is_missing();
    text_bytes += next.text_bytes;
    if (!is_first && text_bytes > kMaxRecordBytes) return;
    auto outcome = Execute(next.request, now_, options_, staging);
    if (is_first) {
      stored_.EndFirst();
    } else if (stored_.is_full() && stored_.is_missing()) {
      if (!was_missing) stored_.ForgetMissing();
      return;
    }
    if (staging.is_full()) return;
    group_.outcomes.push_back(std::move(outcome));
    group_.writes.splice(group_.writes.end(), writes_, writes_.begin());
  }
}

void Engine::Impl::ContinueFetching() {
  if (stored_.is_missing() && stored_version_ == state_->manifest_changes() &&
      !stored_.Resolve(*state_)) {
    return pages_.Want(stored_.window().TakeMissing());
  }
  EvaluateGroup();
}

void Engine::Impl::FinishEvaluation(Staging staging) {
  if (!staging.is_empty()) return StoreGroup(std::move(staging));
  const bool has_refusal =
      std::any_of(group_.outcomes.begin(), group_.outcomes.end(),
                  [](const auto& outcome) { return !outcome; });
  // A commit that succeeds proves that the state it was evaluated against was
  // the newest; where there is nothing to commit, a read has to.
  if (has_refusal && !group_.is_head_checked) {
    return StartReading(Phase::kChecking, state_->head());
  }
  ConfirmGroup();
}

void Engine::Impl::StoreGroup(Staging staging) {
  // A step of upkeep has met a loss since the round began.
  if (must_recover_) return Recover();
  group_.record = LogRecord{.previous_crc = state_->head_crc(),
                            .number = state_->head() + 1,
                            .session = options_.session,
                            .commit = group_.commit,
                            .last_timestamp = staging.last_timestamp(),
                            .changes = staging.TakeChanges()};
  group_.value = EncodeLogRecord(group_.record);
  SendGroup();
}

// The base is expected to be the one we know: or a record would be lost in a
// stretch of the log that is in pages already, or in a store that was deleted
// or replaced under us.  A first attempt need not wait for that: a record below
// the base is void, because nobody reads it, and we look for ours when told
// that the base was another.
void Engine::Impl::SendGroup() {
  const ValueKey key = ValueKey::Record(group_.record.number);
  Batch batch;
  batch.expect = {{ValueKey::Checkpoint(), state_->checkpoint_value()},
                  {key, std::nullopt}};
  batch.puts.push_back({key, group_.value});
  const Bytes* manifest = ManifestOfGroup();
  batch.is_optimistic = !group_.is_in_doubt && manifest == nullptr;
  batch.is_freeing = IsFreeing(group_.record);
  if (manifest != nullptr) {
    // The pages are kept, should they have to be sent again.
    batch.expect.push_back({ValueKey::Manifest(), state_->manifest_value()});
    batch.puts.push_back({ValueKey::Manifest(), *manifest});
    batch.puts.insert(batch.puts.end(), group_.load->pages().begin(),
                      group_.load->pages().end());
  }
  group_.sent_version = state_->version();
  Send(Phase::kCommitting, std::move(batch));
}

// Null where no pages go with the record.
const Bytes* Engine::Impl::ManifestOfGroup() const {
  const bool has_pages =
      group_.load != nullptr && !group_.load->manifest().empty();
  return has_pages ? &group_.load->manifest() : nullptr;
}

void Engine::Impl::CompleteGroup(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      is_room_short_ &= IsFreeing(group_.record);
      // It may be in pages by now, through another's fold that we know of.
      if (state_->head() < group_.record.number) {
        auto applied = state_->Apply(std::move(group_.record), group_.value);
        if (const Bytes* manifest = ManifestOfGroup();
            applied && manifest != nullptr) {
          applied = state_->InstallManifest(*manifest, state_->progress());
        }
        assert(applied);  // We made the record for this very state.
        static_cast<void>(applied);
      }
      return ConfirmGroup();
    case CommitOutcome::kMoved:
      return StartReading(Phase::kChecking, state_->head(), true);
    case CommitOutcome::kQuota:
      is_room_short_ = true;
      background_work_paused_until_ = 0;  // There may be room for it by now.
      if (group_.load == nullptr && !group_.is_in_doubt &&
          !IsFreeing(group_.record)) {
        return KeepDeletions();
      }
      [[fallthrough]];
    case CommitOutcome::kRefused:
      return AbandonGroup(ErrorFor(outcome));
    case CommitOutcome::kUnknown:
      return HandleUnknownOutcome();
  }
}

// There is no room.  Deletions, for which a host may have a reserve, are tried
// again without the other writes; and so are those that were refused, maybe
// because of others, until none of what is to be stored adds anything.
void Engine::Impl::KeepDeletions() {
  auto outcome = group_.outcomes.begin();
  std::erase_if(group_.writes, [&](const PendingWrite& write) {
    if (!*outcome++ || IsDeletion(write.request)) return false;
    Refuse(write.id, ErrorFor(CommitOutcome::kQuota));
    return true;
  });
  if (group_.writes.empty()) return EndGroup();
  group_.is_for_deletions = true;
  EvaluateGroup();
}

void Engine::Impl::HandleUnknownOutcome() {
  group_.is_in_doubt = must_recover_ = true;
  if (++group_.attempts > kMaxAttempts) {
    return AbandonGroup(ErrorFor(CommitOutcome::kUnknown));
  }
  Recover();
}

// Who has lost sight of a commit may face a storage that has lost more.  A
// record behind a gap would make the store unreadable, so nothing is committed
// before this has succeeded.
void Engine::Impl::Recover() {
  StartReading(Phase::kRecovering, state_->manifest().number, true);
}

void Engine::Impl::RepairLog(std::vector<Put> lost) {
  Batch batch;
  batch.expect.push_back({ValueKey::Checkpoint(), state_->checkpoint_value()});
  for (const Put& record : lost) {
    batch.expect.push_back({record.key, std::nullopt});
  }
  batch.puts = std::move(lost);
  // It was all there, and nothing else can be done before it is again.
  batch.is_freeing = true;
  Send(Phase::kRepairingLog, std::move(batch));
}

// Whoever restored them, we or another: what counts is what is there now.
void Engine::Impl::CompleteLogRepair(CommitOutcome outcome) {
  const bool is_known =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool is_unknown = outcome == CommitOutcome::kUnknown;
  if (is_known || (is_unknown && ++group_.attempts <= kMaxAttempts)) {
    return Recover();
  }
  const bool has_begun = !group_.outcomes.empty();
  AbandonGroup(ErrorFor(outcome));
  if (!has_begun) FailWaiting(ErrorFor(outcome));
}

// With whatever is new in hand.
void Engine::Impl::ContinueGroup(const Snapshot& snapshot) {
  const std::uint64_t old_head = state_->head();
  const auto caught_up = CatchUp(snapshot, asked_at_, *state_);
  if (!caught_up) return FailAll(caught_up.error());
  EndRefresh({});
  NoteContention(old_head);
  if (phase_ == Phase::kRecovering) {
    auto lost = LostRecords(snapshot, *state_);
    if (!lost) return FailAll(lost.error());
    if (!lost->empty()) return RepairLog(*std::move(lost));
    must_recover_ = false;
  }
  if (!group_.value.empty() && FindGroup()) return;
  // An attempt whose place is still free may yet arrive there.  The same bytes
  // are sent again, so that it does not matter which of the two does; but pages
  // that go with another root than ours can not, neither now nor late.
  const bool is_possible = ManifestOfGroup() == nullptr ||
                           stored_version_ == state_->manifest_changes();
  if (group_.is_in_doubt && is_possible &&
      state_->head() + 1 == group_.record.number) {
    return SendGroup();
  }
  // A round that begins with this read has no writes yet, and those that it is
  // going to take may be younger.
  group_.is_head_checked = !group_.outcomes.empty();
  EvaluateGroup();
}

// What became of a round that was sent; false where it has to be sent again.
bool Engine::Impl::FindGroup() {
  // Records that went into pages after this was read are in neither of the two
  // places to look in, if a read of pages has told us of that fold.
  const bool is_outdated =
      state_->checkpoint().number < state_->manifest().number;
  if (is_outdated) {
    Recover();
    return true;
  }
  const auto has = HasCommit(*state_, {options_.session, group_.commit});
  const bool was_moved_by_nothing =
      phase_ == Phase::kChecking && state_->version() == group_.sent_version;
  if (!has) {
    AbandonGroup(ErrorFor(CommitOutcome::kUnknown));
  } else if (*has) {
    ConfirmGroup();
  } else if (was_moved_by_nothing) {
    AbandonGroup(ErrorFor(CommitOutcome::kMoved));
  } else {
    return false;
  }
  return true;
}

void Engine::Impl::ConfirmGroup() {
  auto outcome = group_.outcomes.begin();
  for (const PendingWrite& write : group_.writes) {
    Reply(write.id, std::move(*outcome++));
  }
  if (group_.load != nullptr) CompleteLoad(group_.outcomes.front());
  EndGroup();
}

// The writes that were to be stored are answered with the reason.  Those that
// were refused may have been refused because of them: they are evaluated again.
void Engine::Impl::AbandonGroup(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  auto outcome = group_.outcomes.begin();
  std::erase_if(group_.writes, [&](const PendingWrite& write) {
    if (!*outcome++) return false;
    Refuse(write.id, of_stored);
    return true;
  });
  writes_.splice(writes_.begin(), group_.writes);
  CompleteLoad(of_stored);
  EndGroup();
}

// All are answered: also those whose refusal could not be checked.
void Engine::Impl::FailGroup(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  auto outcome = group_.outcomes.begin();
  for (const PendingWrite& write : group_.writes) {
    const bool was_evaluated = outcome != group_.outcomes.end();
    const bool was_to_be_stored = was_evaluated && outcome->has_value();
    Refuse(write.id, was_to_be_stored ? of_stored : reason);
    if (was_evaluated) ++outcome;
  }
  CompleteLoad(of_stored);
  EndGroup();
}

// A write may be said to have failed only where it cannot come true, or where
// all that it could come true in is gone.
Error Engine::Impl::ErrorOfStored(const Error& reason) const {
  const bool is_gone = reason.code == ErrorCode::kStorageEvicted;
  return group_.is_in_doubt && !is_gone ? ErrorFor(CommitOutcome::kUnknown)
                                        : reason;
}

void Engine::Impl::EndGroup() {
  group_ = {};
  stored_.Clear();
  phase_ = Phase::kReady;
}

}  // namespace entitable
