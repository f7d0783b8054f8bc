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

// How often the engine looks for a commit of unknown outcome before it reports
// StorageOutcomeUnknown.
constexpr int kMaxAttempts = 3;

// For this long after a record of another engine (50 ms), the engine keeps
// others out while it commits.  Otherwise an engine that needs more time than
// the others would lose every race.
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

// A step of an import is a group of its own.
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

// The difference is checked on both sides, so that a clock that was set back
// does not prolong the contention.
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

// Evaluates the group against the newest state.  An earlier evaluation of the
// group cannot be stored any more, because another record has its number.
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

// Takes as many writes as fit into one record.  Three limits count: the texts
// of the operations, their changes, and the rows that they need.  A group may
// lose writes to the next group in this way, but never all, and takes new ones
// while it can.
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
  // A commit that succeeds proves that the group was evaluated against the
  // newest state.  A group whose writes all failed commits nothing, so it reads
  // the log instead before it reports the failures.
  if (has_refusal && !group_.is_head_checked) {
    return StartReading(Phase::kChecking, state_->head());
  }
  ConfirmGroup();
}

void Engine::Impl::StoreGroup(Staging staging) {
  // A background step has found a loss since the group began.
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

// The commit expects the checkpoint that this engine knows.  Otherwise the
// record could land in a part of the log that is already flushed, or in another
// store.  The first attempt is optimistic: the host need not compare the
// checkpoint before it stores the record.  A record below the first record of
// the log is an orphan that nobody reads, so it does no harm.  The outcome is
// then kUnknown, and the engine looks for its record.
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
    // The group keeps its pages, because it may have to send them again.
    batch.expect.push_back({ValueKey::Manifest(), state_->manifest_value()});
    batch.puts.push_back({ValueKey::Manifest(), *manifest});
    batch.puts.insert(batch.puts.end(), group_.load->pages().begin(),
                      group_.load->pages().end());
  }
  group_.sent_version = state_->version();
  Send(Phase::kCommitting, std::move(batch));
}

// Null if the record comes without pages.
const Bytes* Engine::Impl::ManifestOfGroup() const {
  const bool has_pages =
      group_.load != nullptr && !group_.load->manifest().empty();
  return has_pages ? &group_.load->manifest() : nullptr;
}

void Engine::Impl::CompleteGroup(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      is_room_short_ &= IsFreeing(group_.record);
      // Another engine may have flushed the record already, and a read may have
      // told so.
      if (state_->head() < group_.record.number) {
        auto applied = state_->Apply(std::move(group_.record), group_.value);
        if (const Bytes* manifest = ManifestOfGroup();
            applied && manifest != nullptr) {
          applied = state_->InstallManifest(*manifest, state_->progress());
        }
        assert(applied);  // The record was made for this state.
        static_cast<void>(applied);
      }
      return ConfirmGroup();
    case CommitOutcome::kMoved:
      return StartReading(Phase::kChecking, state_->head(), true);
    case CommitOutcome::kQuota:
      is_room_short_ = true;
      // There may be room for background work by now.
      background_work_paused_until_ = 0;
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

// The storage is full.  Deletions may still succeed, because the host may have
// a reserve for them.  So the other writes fail, and the deletions are
// evaluated again.  So are writes that had failed, perhaps because of the
// others.  This repeats until the record adds nothing.
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

// After an unknown outcome, the storage may also have lost earlier records.  A
// new record behind such a gap would make the store unreadable.  So the engine
// reads all unflushed records and repairs the log before it commits anything.
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
  // The records were stored before, and nothing else can be done without them.
  batch.is_freeing = true;
  Send(Phase::kRepairingLog, std::move(batch));
}

// It does not matter which engine repaired the log.  The state in storage
// counts.
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

// Continues with a snapshot of what is new.
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
  // The number of the record is still free, so an attempt in doubt may still
  // arrive.  The same bytes are sent again; then it does not matter which
  // attempt arrives.  This does not work for pages that belong to another
  // manifest than the present one; but those cannot be stored late, either.
  const bool is_possible = ManifestOfGroup() == nullptr ||
                           stored_version_ == state_->manifest_changes();
  if (group_.is_in_doubt && is_possible &&
      state_->head() + 1 == group_.record.number) {
    return SendGroup();
  }
  // A group that begins with this read has no writes yet.  The writes that it
  // will take may be younger than the read.
  group_.is_head_checked = !group_.outcomes.empty();
  EvaluateGroup();
}

// Finds out what became of a group that was sent.  Returns false if it must be
// sent again.
bool Engine::Impl::FindGroup() {
  // A read of pages has told of a newer flush.  Records that were flushed after
  // the log was read are neither in the state's log nor in its checkpoint.
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

// The writes that were to be stored fail with the reason.  The others may have
// failed only because of these, so they are evaluated again.
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

// All writes fail, including those whose failure could not be checked.
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

// A write may be reported as failed only if it cannot be stored any more, or if
// the whole store is gone.
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
