#include "commit/commit_pipeline.h"

#include <optional>
#include <utility>

namespace entitable {
namespace {

// How often the engine searches the log for a commit of unknown outcome before
// it reports StorageOutcomeUnknown.
constexpr int kMaxSearches = 3;

}  // namespace

// ----------------------------------------------------------------- the queue

bool CommitPipeline::Remove(RequestId id) {
  return std::erase_if(writes_, [id](const PendingWrite& write) {
           return write.id == id;
         }) > 0;
}

void CommitPipeline::FailNext(const Error& reason) {
  host_.Refuse(writes_.front().id, reason);
  writes_.pop_front();
}

void CommitPipeline::FailWaiting(const Error& reason) {
  for (const PendingWrite& write : writes_) {
    host_.Refuse(write.id, reason);
  }
  writes_.clear();
  imports_.Fail(reason);
}

std::size_t CommitPipeline::next_group_bytes() const {
  std::size_t bytes = 0;
  for (const auto* writes : {&group_.writes, &writes_}) {
    for (const PendingWrite& write : *writes) {
      if (bytes > 0 && bytes + write.text_bytes > kMaxRecordBytes) return bytes;
      bytes += write.text_bytes;
    }
  }
  return bytes;
}

// ---------------------------------------------------------------- evaluation

// A step of an import is a group of its own.
LogEvent CommitPipeline::Start(LoadStep* load) {
  group_.commit = ++last_commit_;
  group_.load = load;
  if (must_recover_) return LogEvent::kDoubt;
  if (contention_.IsOn(host_.now()) && load == nullptr) {
    return LogEvent::kContention;
  }
  return LogEvent::kGroupBegins;
}

LogEvent CommitPipeline::ContinueWithPages() {
  return evaluator_.FindRows() ? LogEvent::kPagesFound
                               : LogEvent::kPagesMissing;
}

// An earlier evaluation of the group cannot be stored any more, because another
// record has its number.
LogEvent CommitPipeline::Evaluate() {
  group_.sent = GroupRecord::kNone;
  group_.value = nullptr;
  const std::size_t bytes = next_group_bytes() + evaluator_.found_bytes();
  // The rows that were found are there already.
  if (!memory_.MakeRoom(GroupMemory(bytes) - evaluator_.found_bytes())) {
    const bool is_alone = group_.writes.size() + writes_.size() <= 1;
    return FailGroupOrNext(is_alone && !memory_.CanFit(bytes)
                               ? Error(TooLarge())
                               : Error(ErrorCode::kServerBusy));
  }
  // While the host keeps other writers out, the commit must follow at once.
  WorkBudget unlimited;
  unlimited.Refill(WorkLimits::kSliceUnits.most);
  auto staging = evaluator_.Evaluate(host_.now(), group_, writes_,
                                     host_.is_held() ? unlimited : work_);
  if (!staging) {
    const bool is_paused = staging.error() == Pending::kSlice;
    return is_paused ? LogEvent::kSliceSpent : LogEvent::kPagesMissing;
  }
  if (!staging->is_empty()) return MakeRecord(*std::move(staging));
  // A commit that succeeds proves that the group was evaluated against the
  // newest state.  A group whose writes all failed commits nothing, so it reads
  // the log instead before it reports the failures.
  const bool is_checked = group_.members == CommitGroup::Members::kChecked;
  if (group_.has_failure() && !is_checked) {
    return LogEvent::kRefusals;
  }
  return Confirm();
}

LogEvent CommitPipeline::MakeRecord(Staging staging) {
  // A background step has found a loss since the group began.
  if (must_recover_) return LogEvent::kDoubt;
  const AccountState& state = store_.state();
  group_.record = {.previous_crc = state.head_crc(),
                   .number = state.head() + 1,
                   .session = options_.session,
                   .commit = group_.commit,
                   .last_timestamp = staging.last_timestamp()};
  Bytes value = staging.TakeRecord();
  SealLogRecord(group_.record, value);
  group_.value = Share(std::move(value));
  return Send();
}

LogEvent CommitPipeline::Send() {
  group_.sent_version = store_.state().version();
  host_.CommitToLog(group_.MakeBatch(store_.state()));
  if (group_.sent == GroupRecord::kNone) group_.sent = GroupRecord::kSent;
  return LogEvent::kRecordSent;
}

// ------------------------------------------------------------------ outcomes

Result<LogEvent> CommitPipeline::Complete(CommitOutcome outcome) {
  switch (outcome) {
    case CommitOutcome::kOk:
      if (group_.has_met_others) contention_.Prolong();
      is_room_short_ &= group_.frees();
      if (const auto installed = Install(); !installed) {
        // It is stored, and the state may have a part of it.
        group_.sent = GroupRecord::kInDoubt;
        return installed.error();
      }
      return Judge(GroupFact::kStored, outcome);
    case CommitOutcome::kMoved:
      return Judge(GroupFact::kMoved, outcome);
    case CommitOutcome::kQuota: {
      is_room_short_ = true;
      const bool may_keep = group_.load == nullptr && !group_.frees();
      return Judge(may_keep ? GroupFact::kNoRoom : GroupFact::kRefused,
                   outcome);
    }
    case CommitOutcome::kRefused:
      return Judge(GroupFact::kRefused, outcome);
    case CommitOutcome::kUnknown: {
      group_.sent = GroupRecord::kInDoubt;
      must_recover_ = true;
      const bool is_last = ++group_.searches > kMaxSearches;
      return Judge(is_last ? GroupFact::kSilence : GroupFact::kUnknown,
                   outcome);
    }
  }
  return End();
}

// The writes fail for the reason, if they must.
LogEvent CommitPipeline::Judge(GroupFact fact, CommitOutcome reason) {
  switch (Next(kGroupTable, group_.sent, fact)) {
    case GroupVerdict::kConfirm:
      return Confirm();
    case GroupVerdict::kCatchUp:
      return LogEvent::kMoved;
    case GroupVerdict::kKeepDeletions:
      return KeepDeletions();
    case GroupVerdict::kSearch:
      return LogEvent::kDoubt;
    case GroupVerdict::kEvaluate:
      return EvaluateAgain();
    case GroupVerdict::kSendAgain:
      return Send();
    case GroupVerdict::kAbandon:
      return Abandon(reason);
  }
  return End();
}

// Another engine may have flushed the record already, and a read may have found
// that flush.
Result<void> CommitPipeline::Install() {
  if (store_.state().head() >= group_.record.number) return {};
  ENTITABLE_TRY(
      store_.Apply(group_.record, std::move(group_.value), group_.manifest()));
  const bool has_pages = group_.manifest() != nullptr;
  if (has_pages && memory_.HasRoom(kStepBytes)) {
    store_.cache().AcceptWritten(group_.load->pages(), {});
  }
  return {};
}

// The storage is full.  Deletions may still succeed, because the host may have
// a reserve for them.  So the other writes fail, and the deletions are
// evaluated again.  So are writes that had failed, perhaps because of the
// others.  This repeats until the record adds nothing.
LogEvent CommitPipeline::KeepDeletions() {
  group_.FailStoredButDeletions(ErrorFor(CommitOutcome::kQuota), host_);
  if (group_.writes.empty()) return End();
  if (group_.members == CommitGroup::Members::kMayJoin) {
    group_.members = CommitGroup::Members::kDeletions;
  }
  return LogEvent::kDeletionsLeft;
}

// ------------------------------------------------------------------- the log

void CommitPipeline::NoteContention(std::uint64_t old_head) {
  const AccountState& state = store_.state();
  const auto& unflushed = state.unflushed();
  const bool is_ours =
      !unflushed.empty() && unflushed.back().author.session == options_.session;
  if (state.head() == old_head || is_ours) return;
  contention_.Begin(host_.now());
  group_.has_met_others = true;
}

LogEvent CommitPipeline::ContinueChecked() {
  return Continue(FindGroup(/*was_checked=*/true));
}

Result<LogEvent> CommitPipeline::ContinueRecovered(const Snapshot& snapshot) {
  ENTITABLE_TRY(auto lost, store_.LostRecords(snapshot));
  if (!lost.empty()) return RepairLog(std::move(lost));
  must_recover_ = false;
  return Continue(FindGroup(/*was_checked=*/false));
}

LogEvent CommitPipeline::Continue(GroupFact fact) {
  return Judge(fact, fact == GroupFact::kForgotten ? CommitOutcome::kUnknown
                                                   : CommitOutcome::kMoved);
}

GroupFact CommitPipeline::FindGroup(bool was_checked) const {
  if (group_.sent == GroupRecord::kNone) return GroupFact::kNotThere;
  const AccountState& state = store_.state();
  // A read of pages has found a newer flush.  Records that were flushed after
  // the log was read are neither in the state's log nor in its checkpoint.
  if (state.checkpoint().number < state.manifest().number) {
    return GroupFact::kUnclear;
  }
  const auto has = store_.HasCommit({options_.session, group_.commit});
  if (!has) return GroupFact::kForgotten;
  if (*has) return GroupFact::kStored;
  if (was_checked && state.version() == group_.sent_version) {
    return GroupFact::kUnexplained;
  }
  // Pages that belong to another manifest than the present one cannot be stored
  // any more.
  const bool is_possible =
      group_.manifest() == nullptr || evaluator_.IsUpToDate();
  return is_possible && state.head() + 1 == group_.record.number
             ? GroupFact::kNextInLog
             : GroupFact::kNotThere;
}

// A group that begins with a read of the log has no writes yet.  The writes
// that it will take may be younger than the read.
LogEvent CommitPipeline::EvaluateAgain() {
  if (group_.is_evaluated()) group_.members = CommitGroup::Members::kChecked;
  return LogEvent::kNotStored;
}

LogEvent CommitPipeline::RepairLog(std::vector<Put> lost) {
  Batch batch;
  batch.expect.push_back(
      {ValueKey::Checkpoint(), store_.state().checkpoint_value()});
  for (const Put& record : lost) {
    batch.expect.push_back({record.key, nullptr});
  }
  batch.puts = std::move(lost);
  // The records were stored before, and nothing else can be done without them.
  batch.frees = true;
  host_.CommitToLog(std::move(batch));
  return LogEvent::kRecordsLost;
}

// It does not matter which engine repaired the log.  The state in storage
// counts.
LogEvent CommitPipeline::CompleteLogRepair(CommitOutcome outcome) {
  const bool is_known =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool is_unknown = outcome == CommitOutcome::kUnknown;
  if (is_known || (is_unknown && ++group_.searches <= kMaxSearches)) {
    return LogEvent::kDoubt;
  }
  const bool has_begun = group_.is_evaluated();
  const LogEvent next = Abandon(outcome);
  if (!has_begun) FailWaiting(ErrorFor(outcome));
  return next;
}

// ------------------------------------------------------- the end of the group

LogEvent CommitPipeline::Confirm() {
  group_.AnswerWrites(host_);
  if (group_.load != nullptr) {
    CompleteLoad(std::move(*group_.load_outcome).Take());
  }
  return End();
}

// The writes that were to be stored fail with the reason.  The others may have
// failed only because of these, so they are evaluated again.
LogEvent CommitPipeline::Abandon(CommitOutcome reason) {
  const Error of_stored = ErrorOfStored(ErrorFor(reason));
  group_.FailStored(of_stored, host_);
  writes_.splice(writes_.begin(), group_.writes);
  CompleteLoad(of_stored);
  return End();
}

LogEvent CommitPipeline::Fail(const Error& reason) {
  const Error of_stored = ErrorOfStored(reason);
  group_.FailWrites(of_stored, reason, host_);
  CompleteLoad(of_stored);
  return End();
}

LogEvent CommitPipeline::FailGroupOrNext(const Error& reason) {
  const bool is_empty = group_.load == nullptr && group_.writes.empty();
  if (is_empty && has_waiting()) FailNext(reason);
  return Fail(reason);
}

void CommitPipeline::FailAll(const Error& reason, bool is_sent) {
  if (is_sent) group_.sent = GroupRecord::kInDoubt;
  static_cast<void>(Fail(reason));
  FailWaiting(reason);
  must_recover_ = false;
}

// A write may be reported as failed only if it cannot be stored any more, or if
// the whole store is gone.
Error CommitPipeline::ErrorOfStored(const Error& reason) const {
  const bool is_gone = reason.code == ErrorCode::kStorageEvicted;
  return group_.sent == GroupRecord::kInDoubt && !is_gone
             ? ErrorFor(CommitOutcome::kUnknown)
             : reason;
}

void CommitPipeline::CompleteLoad(const Result<void>& outcome) {
  const LoadStep* const load = std::exchange(group_.load, nullptr);
  if (load != nullptr) imports_.Complete(*load, outcome);
}

LogEvent CommitPipeline::End() {
  group_ = {};
  evaluator_.Clear();
  return LogEvent::kGroupEnds;
}

}  // namespace entitable
