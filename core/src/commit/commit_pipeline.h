// commit_pipeline.h - the writes, from the queue until they are stored.

#ifndef ENTITABLE_COMMIT_COMMIT_PIPELINE_H_
#define ENTITABLE_COMMIT_COMMIT_PIPELINE_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <utility>
#include <vector>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "commit/commit_group.h"
#include "commit/import_queue.h"
#include "commit/log_phase.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "store/store.h"

namespace entitable {

// Whether other engines write so often that this one must keep them out to
// commit.  Without this, an engine that needs more time than the others to
// evaluate its writes would lose every race.
class Contention {
 public:
  // Another engine has written a record.
  void Begin(DateTime now) { until_ = {now.ticks + kTicks}; }

  // The commit of a group that has met others is over.  The time that it took
  // does not count: another engine may be nearer to the storage.
  void Prolong() { is_prolonged_ = true; }

  void BeginTurn(DateTime now) {
    if (std::exchange(is_prolonged_, false)) Begin(now);
  }

  void End() { until_ = {}; }

  // The difference is checked on both sides, so that a clock that was set back
  // does not prolong the contention.
  bool IsOn(DateTime now) const {
    const std::int64_t left = until_.ticks - now.ticks;
    return left > 0 && left <= kTicks;
  }

 private:
  static constexpr std::int64_t kTicks = 500'000;  // 50 ms.

  DateTime until_{};
  bool is_prolonged_ = false;
};

// ------------------------------------------------------------- commit pipeline

// Writes wait in a queue.  A commit group takes as many as fit into one log
// record, evaluates them one after another on top of the newest state, and asks
// for one commit.  Writes that arrive while a group is in progress form the
// next one.  The outcome of the commit decides what happens next:
//
// - kOk: the state takes the record, and all writes are answered.
// - kMoved: another engine committed first.  The engine catches up with the log
//   and evaluates the group again.
// - kQuota, kRefused: the writes that were to be stored fail.  On kQuota,
//   deletions are first tried again alone.
// - kUnknown: the engine reads the log, repairs it if records are lost, and
//   looks for its own record there.
//
// Each function that continues the group returns what the group needs next.
//
// Invariants:
// - At most one group is in progress.
// - A write is reported as stored only if its record is in storage.  It is
//   reported as failed only if its record can no longer arrive there, or with
//   StorageOutcomeUnknown.
// - A failure that depends on stored data is reported only after the log was
//   checked.
// - While the storage may have lost records, nothing is committed but these.
class CommitPipeline {
 public:
  CommitPipeline(const EngineOptions& options, const Memory& memory,
                 Store& store, PageReader& pages, ImportQueue& imports,
                 HostLink& host, WorkBudget& work)
      : options_(options),
        memory_(memory),
        store_(store),
        imports_(imports),
        host_(host),
        work_(work),
        evaluator_(options, memory, store, pages) {}

  // --- The queue

  void Add(RequestId id, WriteRequest&& request, std::size_t text_bytes,
           std::size_t bytes) {
    writes_.emplace_back(id, std::move(request), text_bytes,
                         Charge(waiting_bytes_, bytes));
  }

  // Removes a write that is in no group.  Returns false if it is not there.
  bool Remove(RequestId id);

  bool has_waiting() const { return !writes_.empty(); }

  // Of the texts of the writes that the next group is going to take, for
  // GroupMemory().
  std::size_t next_group_bytes() const;

  // Of the queue and of the group.
  std::size_t waiting_bytes() const { return waiting_bytes_; }

  void FailNext(const Error& reason);

  // Fails all waiting writes, and all imports.
  void FailWaiting(const Error& reason);

  // --- The group

  // Starts a group with a step of an import, or, if that is null, with the
  // writes of the queue.
  LogStep Start(LoadStep* load);

  // More pages are there.
  LogStep ContinueWithPages();

  // The next slice begins, after kEvaluating.
  LogStep ContinueEvaluation() { return Evaluate(); }

  // The state is up to date, after kChecking.
  LogStep ContinueChecked();

  // The same after kRecovering.  Fails with StorageDamaged if the log in
  // storage is not the one that this engine knows.
  Result<LogStep> ContinueRecovered(const Snapshot& snapshot);

  // The outcome of kCommitting, or of kRepairingLog.
  Result<LogStep> Complete(CommitOutcome outcome);
  LogStep CompleteLogRepair(CommitOutcome outcome);

  // Ends the group: all of its writes fail, including those whose failure could
  // not be checked.
  LogStep Fail(const Error& reason);

  // The same.  If the group has no writes yet, the next write fails: otherwise
  // it would begin the same group again at once.
  LogStep FailGroupOrNext(const Error& reason);

  // The same for the group and all that waits.  `is_sent`: the storage may
  // still store the group.
  void FailAll(const Error& reason, bool is_sent);

  bool is_storing_load() const { return group_.load != nullptr; }

  // --- The log

  // A call of Run() begins.
  void BeginTurn() { contention_.BeginTurn(host_.now()); }

  // The log was read, when the state had come to `old_head`.
  void NoteContention(std::uint64_t old_head);
  void EndContention() { contention_.End(); }

  // After an unknown outcome, the storage may also have lost earlier records.
  // A new record behind such a gap would make the store unreadable.  So the
  // engine reads all unflushed records and repairs the log before it commits
  // anything.
  void RequireRecovery() { must_recover_ = true; }
  bool must_recover() const { return must_recover_; }
  static LogStep Recover() {
    return {.phase = LogPhase::kRecovering, .is_exclusive = true};
  }

  // Whether the storage was full for the last record that added something.
  // Then deleted data is cleared away at once.
  bool is_room_short() const { return is_room_short_; }

  // The pages that the group holds.
  const PageWindow& window() const { return evaluator_.window(); }

 private:
  // What became of a group that was sent.
  enum class Fate : std::uint8_t {
    kNotSent,
    kStored,
    kNotStored,  // It must be evaluated again, or sent again.
    kRefused,    // The same: but nothing in the log explains why.
    kForgotten,  // The store has forgotten the commits of that time.
    kUnclear,    // The log must be read again.
  };
  Fate FindGroup(bool was_checked) const;
  LogStep Continue(Fate fate);

  LogStep Evaluate();
  LogStep MakeRecord(Staging staging);
  LogStep Send();
  Result<void> Install();
  LogStep KeepDeletions();
  LogStep HandleUnknownOutcome();
  LogStep RepairLog(std::vector<Put> lost) const;

  LogStep Confirm();
  LogStep Abandon(const Error& reason);
  Error ErrorOfStored(const Error& reason) const;
  void CompleteLoad(const Result<void>& outcome);
  LogStep End();

  const EngineOptions& options_;
  const Memory& memory_;
  Store& store_;
  ImportQueue& imports_;
  HostLink& host_;
  WorkBudget& work_;

  std::size_t waiting_bytes_ = 0;
  std::list<PendingWrite> writes_;
  CommitGroup group_;
  GroupEvaluator evaluator_;
  Contention contention_;
  std::uint64_t last_commit_ = 0;
  bool must_recover_ = false;
  bool is_room_short_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_COMMIT_PIPELINE_H_
