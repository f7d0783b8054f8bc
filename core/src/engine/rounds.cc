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
constexpr std::int64_t kCrowdTicks = 500'000;

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
void Engine::Impl::StartRound() {
  round_.commit = ++last_commit_;
  last_change_ = now_;
  was_load_ = IsTurnOfLoad();
  if (was_load_) round_.load = TakeLoad();
  if (must_heal_) return Heal();
  if (IsCrowded() && !was_load_) {
    return StartReading(Phase::kChecking, state_->head(), true);
  }
  EvaluateRound();
}

// A clock that was set back must not make it last.
bool Engine::Impl::IsCrowded() const {
  const std::int64_t left = crowded_until_.ticks - now_.ticks;
  return left > 0 && left <= kCrowdTicks;
}

void Engine::Impl::NoteCrowd(std::uint64_t old_head) {
  const auto& tail = state_->tail();
  const bool is_ours =
      !tail.empty() && tail.back().author.session == options_.session;
  if (state_->head() > old_head && !is_ours) {
    crowded_until_ = {now_.ticks + kCrowdTicks};
  }
}

// Against the newest state.  What an earlier evaluation made of the round can
// no longer be stored, because its place in the log is taken.
void Engine::Impl::EvaluateRound() {
  if (stored_version_ != state_->root_version()) stored_.Clear();
  stored_version_ = state_->root_version();
  round_.is_in_doubt = false;
  round_.value.clear();
  do {
    Staging staging(*state_, stored_);
    round_.outcomes.clear();
    stored_.BeginFirst();
    if (round_.load != nullptr) {
      round_.outcomes.push_back(round_.load->Evaluate(now_, options_, staging));
    } else {
      EvaluateWrites(staging);
    }
    if (!stored_.is_lacking() && !stored_.window().is_waiting()) {
      return FinishEvaluation(std::move(staging));
    }
  } while (!stored_.window().is_waiting() && stored_.Resolve(*state_));
  pages_.Want(stored_.window().TakeMissing());
  phase_ = Phase::kGathering;
}

// As many as share a record: until the texts of the operations, what they
// change, or the rows that they need are as much as one may have.  The round
// may lose writes by that, never all, and gets others while it may.
void Engine::Impl::EvaluateWrites(Staging& staging) {
  const bool may_grow = !round_.is_head_checked && !round_.is_for_deletions;
  const std::size_t most = may_grow ? SIZE_MAX : round_.writes.size();
  writes_.splice(writes_.begin(), round_.writes);
  std::size_t text_bytes = 0;
  while (!writes_.empty() && round_.writes.size() < most) {
    const PendingWrite& next = writes_.front();
    const bool is_first = round_.writes.empty();
    const bool was_lacking = stored_.is_lacking();
    text_bytes += next.text_bytes;
    if (!is_first && text_bytes > kMaxRecordBytes) return;
    auto outcome = Execute(next.request, now_, options_, staging);
    if (is_first) {
      stored_.EndFirst();
    } else if (stored_.is_full() && stored_.is_lacking()) {
      if (!was_lacking) stored_.ForgetLacking();
      return;
    }
    if (staging.is_full()) return;
    round_.outcomes.push_back(std::move(outcome));
    round_.writes.splice(round_.writes.end(), writes_, writes_.begin());
  }
}

void Engine::Impl::ContinueGathering() {
  if (stored_.is_lacking() && stored_version_ == state_->root_version() &&
      !stored_.Resolve(*state_)) {
    return pages_.Want(stored_.window().TakeMissing());
  }
  EvaluateRound();
}

void Engine::Impl::FinishEvaluation(Staging staging) {
  if (!staging.is_empty()) return CommitRound(std::move(staging));
  const bool has_refusal =
      std::any_of(round_.outcomes.begin(), round_.outcomes.end(),
                  [](const auto& outcome) { return !outcome; });
  // A commit that succeeds proves that the state it was evaluated against was
  // the newest; where there is nothing to commit, a read has to.
  if (has_refusal && !round_.is_head_checked) {
    return StartReading(Phase::kChecking, state_->head());
  }
  ConfirmRound();
}

void Engine::Impl::CommitRound(Staging staging) {
  // A step of upkeep has met a loss since the round began.
  if (must_heal_) return Heal();
  round_.record = LogRecord{.previous_crc = state_->head_crc(),
                            .number = state_->head() + 1,
                            .session = options_.session,
                            .commit = round_.commit,
                            .last_timestamp = staging.last_timestamp(),
                            .changes = staging.TakeChanges()};
  round_.value = EncodeLogRecord(round_.record);
  SendRound();
}

// The base is expected to be the one we know: or a record would be lost in a
// stretch of the log that is in pages already, or in a store that was deleted
// or replaced under us.  A first attempt need not wait for that: a record below
// the base is void, because nobody reads it, and we look for ours when told
// that the base was another.
void Engine::Impl::SendRound() {
  const ValueKey key = ValueKey::Record(round_.record.number);
  Batch batch;
  batch.expect = {{ValueKey::Base(), state_->base_value()},
                  {key, std::nullopt}};
  batch.puts.push_back({key, round_.value});
  const Bytes* root = RootOfRound();
  batch.is_eager = !round_.is_in_doubt && root == nullptr;
  batch.is_freeing = IsFreeing(round_.record);
  if (root != nullptr) {
    // The pages are kept, should they have to be sent again.
    batch.expect.push_back({ValueKey::Root(), state_->root_value()});
    batch.puts.push_back({ValueKey::Root(), *root});
    batch.puts.insert(batch.puts.end(), round_.load->pages().begin(),
                      round_.load->pages().end());
  }
  round_.sent_version = state_->version();
  Send(Phase::kCommitting, std::move(batch));
}

// Null where no pages go with the record.
const Bytes* Engine::Impl::RootOfRound() const {
  const bool has_pages = round_.load != nullptr && !round_.load->root().empty();
  return has_pages ? &round_.load->root() : nullptr;
}

void Engine::Impl::SettleRound(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      is_room_short_ &= IsFreeing(round_.record);
      // It may be in pages by now, through another's fold that we know of.
      if (state_->head() < round_.record.number) {
        auto applied = state_->Apply(std::move(round_.record), round_.value);
        if (const Bytes* root = RootOfRound(); applied && root != nullptr) {
          applied = state_->AdoptRoot(*root, state_->progress());
        }
        assert(applied);  // We made the record for this very state.
        static_cast<void>(applied);
      }
      return ConfirmRound();
    case CommitOutcome::kMoved:
      return StartReading(Phase::kChecking, state_->head(), true);
    case CommitOutcome::kQuota:
      is_room_short_ = true;
      upkeep_paused_until_ = 0;  // There may be room for it by now.
      if (round_.load == nullptr && !round_.is_in_doubt &&
          !IsFreeing(round_.record)) {
        return KeepDeletions();
      }
      [[fallthrough]];
    case CommitOutcome::kRefused:
      return AbandonRound(ErrorFor(outcome));
    case CommitOutcome::kUnknown:
      return HandleUnknownOutcome();
  }
}

// There is no room.  Deletions, for which a host may have a reserve, are tried
// again without the other writes; and so are those that were refused, maybe
// because of others, until none of what is to be stored adds anything.
void Engine::Impl::KeepDeletions() {
  auto outcome = round_.outcomes.begin();
  std::erase_if(round_.writes, [&](const PendingWrite& write) {
    if (!*outcome++ || IsDeletion(write.request)) return false;
    Refuse(write.id, ErrorFor(CommitOutcome::kQuota));
    return true;
  });
  if (round_.writes.empty()) return EndRound();
  round_.is_for_deletions = true;
  EvaluateRound();
}

void Engine::Impl::HandleUnknownOutcome() {
  round_.is_in_doubt = must_heal_ = true;
  if (++round_.attempts > kMaxAttempts) {
    return AbandonRound(ErrorFor(CommitOutcome::kUnknown));
  }
  Heal();
}

// Who has lost sight of a commit may face a storage that has lost more.  A
// record behind a gap would make the store unreadable, so nothing is committed
// before this has succeeded.
void Engine::Impl::Heal() {
  StartReading(Phase::kHealing, state_->root().number, true);
}

void Engine::Impl::Restore(std::vector<Put> lost) {
  Batch batch;
  batch.expect.push_back({ValueKey::Base(), state_->base_value()});
  for (const Put& record : lost) {
    batch.expect.push_back({record.key, std::nullopt});
  }
  batch.puts = std::move(lost);
  // It was all there, and nothing else can be done before it is again.
  batch.is_freeing = true;
  Send(Phase::kRestoring, std::move(batch));
}

// Whoever restored them, we or another: what counts is what is there now.
void Engine::Impl::SettleRestoring(CommitOutcome outcome) {
  const bool is_known =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool is_unknown = outcome == CommitOutcome::kUnknown;
  if (is_known || (is_unknown && ++round_.attempts <= kMaxAttempts)) {
    return Heal();
  }
  const bool has_begun = !round_.outcomes.empty();
  AbandonRound(ErrorFor(outcome));
  if (!has_begun) FailWaiting(ErrorFor(outcome));
}

// With whatever is new in hand.
void Engine::Impl::ContinueRound(const Snapshot& snapshot) {
  const std::uint64_t old_head = state_->head();
  const auto caught_up = CatchUp(snapshot, asked_at_, *state_);
  if (!caught_up) return FailAll(caught_up.error());
  EndRefresh({});
  NoteCrowd(old_head);
  if (phase_ == Phase::kHealing) {
    auto lost = LostRecords(snapshot, *state_);
    if (!lost) return FailAll(lost.error());
    if (!lost->empty()) return Restore(*std::move(lost));
    must_heal_ = false;
  }
  if (!round_.value.empty() && FindRound()) return;
  // An attempt whose place is still free may yet arrive there.  The same bytes
  // are sent again, so that it does not matter which of the two does; but pages
  // that go with another root than ours can not, neither now nor late.
  const bool is_possible =
      RootOfRound() == nullptr || stored_version_ == state_->root_version();
  if (round_.is_in_doubt && is_possible &&
      state_->head() + 1 == round_.record.number) {
    return SendRound();
  }
  // A round that begins with this read has no writes yet, and those that it is
  // going to take may be younger.
  round_.is_head_checked = !round_.outcomes.empty();
  EvaluateRound();
}

// What became of a round that was sent; false where it has to be sent again.
bool Engine::Impl::FindRound() {
  // Records that went into pages after this was read are in neither of the two
  // places to look in, if a read of pages has told us of that fold.
  const bool is_outdated = state_->base().number < state_->root().number;
  if (is_outdated) {
    Heal();
    return true;
  }
  const auto has = HasCommit(*state_, {options_.session, round_.commit});
  const bool was_moved_by_nothing =
      phase_ == Phase::kChecking && state_->version() == round_.sent_version;
  if (!has) {
    AbandonRound(ErrorFor(CommitOutcome::kUnknown));
  } else if (*has) {
    ConfirmRound();
  } else if (was_moved_by_nothing) {
    AbandonRound(ErrorFor(CommitOutcome::kMoved));
  } else {
    return false;
  }
  return true;
}

void Engine::Impl::ConfirmRound() {
  auto outcome = round_.outcomes.begin();
  for (const PendingWrite& write : round_.writes) {
    Reply(write.id, std::move(*outcome++));
  }
  if (round_.load != nullptr) SettleLoad(round_.outcomes.front());
  EndRound();
}

// The writes that were to be stored are answered with the reason.  Those that
// were refused may have been refused because of them: they are evaluated again.
void Engine::Impl::AbandonRound(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  auto outcome = round_.outcomes.begin();
  std::erase_if(round_.writes, [&](const PendingWrite& write) {
    if (!*outcome++) return false;
    Refuse(write.id, of_stored);
    return true;
  });
  writes_.splice(writes_.begin(), round_.writes);
  SettleLoad(of_stored);
  EndRound();
}

// All are answered: also those whose refusal could not be checked.
void Engine::Impl::FailRound(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  auto outcome = round_.outcomes.begin();
  for (const PendingWrite& write : round_.writes) {
    const bool was_evaluated = outcome != round_.outcomes.end();
    const bool was_to_be_stored = was_evaluated && outcome->has_value();
    Refuse(write.id, was_to_be_stored ? of_stored : reason);
    if (was_evaluated) ++outcome;
  }
  SettleLoad(of_stored);
  EndRound();
}

// A write may be said to have failed only where it cannot come true, or where
// all that it could come true in is gone.
Error Engine::Impl::ErrorOfStored(const Error& reason) const {
  const bool is_gone = reason.code == ErrorCode::kStorageEvicted;
  return round_.is_in_doubt && !is_gone ? ErrorFor(CommitOutcome::kUnknown)
                                        : reason;
}

void Engine::Impl::EndRound() {
  round_ = {};
  stored_.Clear();
  phase_ = Phase::kReady;
}

}  // namespace entitable
