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
// next one.  The outcome of the commit decides what happens next, or what a
// read of the log shows (kGroupTable).
//
// Each function that continues the group returns what has happened (kLogTable).
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
  CommitPipeline(const EngineOptions& options, const HostMemory& memory,
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
  LogEvent Start(LoadStep* load);

  LogEvent Evaluate();

  // More pages are there.
  LogEvent ContinueWithPages();

  // The state is up to date, after a check.
  LogEvent ContinueChecked();

  // The same after a recovery.  Fails with StorageDamaged if the log in storage
  // is not the one that this engine knows.
  Result<LogEvent> ContinueRecovered(const Snapshot& snapshot);

  // The outcome of the commit of the group, or of lost records.
  Result<LogEvent> Complete(CommitOutcome outcome);
  LogEvent CompleteLogRepair(CommitOutcome outcome);

  // Ends the group: all of its writes fail, including those whose failure could
  // not be checked.
  LogEvent Fail(const Error& reason);

  // The same.  If the group has no writes yet, the next write fails: otherwise
  // it would begin the same group again at once.
  LogEvent FailGroupOrNext(const Error& reason);

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

  // Whether the storage was full for the last record that added something.
  // Then deleted data is cleared away at once.
  bool is_room_short() const { return is_room_short_; }

  // The pages that the group holds.
  const PageWindow& window() const { return evaluator_.window(); }

 private:
  // What the log shows of the group, after a check or a recovery.
  GroupFact FindGroup(bool was_checked) const;
  LogEvent Continue(GroupFact fact);
  LogEvent Judge(GroupFact fact, CommitOutcome reason);

  LogEvent MakeRecord(Staging staging);
  LogEvent Send();
  Result<void> Install();
  LogEvent EvaluateAgain();
  LogEvent KeepDeletions();
  LogEvent RepairLog(std::vector<Put> lost);

  LogEvent Confirm();
  LogEvent Abandon(CommitOutcome reason);
  Error ErrorOfStored(const Error& reason) const;
  void CompleteLoad(const Result<void>& outcome);
  LogEvent End();

  const EngineOptions& options_;
  const HostMemory& memory_;
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
