// engine_impl.h - the state of an engine and its state machine.
//
// engine.cc has the requests, the steps, the opening of a store and the pages;
// reads.cc has the reads; commit_groups.cc has the writes; imports.cc has the
// imports; background_work.cc has flushes and compactions.

#ifndef ENTITABLE_ENGINE_ENGINE_IMPL_H_
#define ENTITABLE_ENGINE_ENGINE_IMPL_H_

#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <vector>

#include "base/work_budget.h"
#include "engine/commit_group.h"
#include "engine/import.h"
#include "engine/page_reader.h"
#include "engine/pending_reads.h"
#include "engine/query.h"
#include "engine/request.h"
#include "engine/staging.h"
#include "engine/stored_rows.h"
#include "entitable/engine.h"
#include "store/account_state.h"
#include "store/flush.h"
#include "store/page_cache.h"

namespace entitable {

// What the engine is doing with the log.
enum class Phase : std::uint8_t {
  kClosed,      // No store is open.  The next request opens it.
  kOpening,     // Reads the checkpoint, the manifest and the log.
  kCreating,    // Commits the checkpoint of a new store.
  kReady,       // Neither reads nor writes the log.
  kFetching,    // Fetches pages that the commit group needs.
  kCommitting,  // Commits the group.
  kChecking,    // Reads the newest records, to evaluate the group again.
  // Reads all unflushed records, to find out whether the group was stored and
  // whether the storage has lost records.
  kRecovering,
  kRepairingLog,  // Commits the records that the storage has lost.
  // Reads the newest records, for a read with Operation::fresh or after a
  // background step that was moved.
  kRefreshing,
  kEvicted,  // The store is gone.  The engine only answers from memory.
};

class Engine::Impl {
 public:
  explicit Impl(EngineOptions options);

  RequestId Submit(const Result<Operation>& operation);
  std::optional<Response> TakeAnswer();
  bool Cancel(RequestId request);
  Step Run(double unix_milliseconds);
  bool Supply(ReadId id, Snapshot snapshot);
  void ReadFailed(ReadId id, const Error& reason);
  void Complete(CommitId id, CommitOutcome outcome);
  void StopBackgroundWork() { is_background_work_stopped_ = true; }
  std::uint64_t examined_entities() const { return examined_; }
  std::uint64_t spent_units() const { return work_.spent(); }
  std::uint64_t visited_reads() const { return visited_reads_; }
  std::size_t waiting_bytes() const;
  std::size_t page_bytes() const {
    return cache_.bytes() + cache_.held_bytes();
  }
  bool MakeRoom(std::size_t bytes);

 private:
  // --- engine.cc

  // Queues a request if it is valid and there is room for it.
  Result<void> Take(RequestId id, const Operation& operation);
  bool HasRoomFor(std::size_t bytes) const;

  // Does the next piece of work.  Returns whether there was any that needs no
  // host.
  bool Advance();
  bool IsRefreshDue() const {
    return is_refresh_due_ || !reads_.awaiting_refresh.empty();
  }
  bool FetchPages();
  void TakePages(Snapshot snapshot);
  void PagesCannotBeRead(const Error& reason);

  void Reply(RequestId request, Result<Response> outcome);
  void Refuse(RequestId request, const Error& reason);
  void StartReading(Phase phase, std::uint64_t records_after,
                    bool is_exclusive = false);
  void Send(Phase phase, Batch batch);
  bool RecallCommit();

  void Open(const Snapshot& snapshot);
  void CreateStore();
  void CompleteCreation(CommitOutcome outcome);

  bool HasRequests() const;

  // Answers all waiting requests with the reason.  The next request opens the
  // store again.
  void FailAll(const Error& reason);

  bool HasMemory() const;

  // --- reads.cc

  // The position of a read in its list.
  struct ReadPlace {
    PendingReads::List* list;
    PendingReads::List::iterator at;
  };

  void BeginSlice();
  bool AdvanceReads();
  std::optional<ReadPlace> NextRead(bool paused_first);
  std::optional<ReadPlace> NextReady();
  std::optional<ReadPlace> NextPaused();
  bool HasRunnableRead();
  bool MayHoldPages() const;
  bool MayWait() const;
  std::optional<Result<Response>> AnswerOf(const ReadPlace& place);
  void ContinueRead(const ReadPlace& place);
  void ContinueWaiting();
  void RefuseReads(const PendingReads::List& reads, const Error& reason);

  // --- imports.cc

  void TakePart(RequestId id, const Operation& operation);
  Import* FindImport(std::uint32_t number) const;
  void AdvanceImport(Import& import);
  bool IsLoadWaiting() const;
  bool IsTurnOfLoad() const;
  LoadStep* TakeLoad();
  void CompleteLoad(const Result<Response>& outcome);
  void FailImports(const Error& reason);

  // --- commit_groups.cc

  // Whether other engines write so often that this one must keep them out to
  // commit.
  bool IsContended() const;
  void NoteContention(std::uint64_t old_head);

  // Answers all waiting writes with the reason.
  void FailWaiting(const Error& reason);

  // Answers the next write with the reason.
  void RefuseWrite(const Error& reason);

  void StartGroup();
  void EvaluateGroup();
  void EvaluateWrites(Staging& staging);
  void FinishEvaluation(Staging staging);
  void ContinueFetching();
  void StoreGroup(Staging staging);
  void SendGroup();
  const Bytes* ManifestOfGroup() const;
  void CompleteGroup(CommitOutcome outcome);
  void KeepDeletions();
  void ContinueGroup(const Snapshot& snapshot);
  bool FindGroup();
  void ConfirmGroup();
  void AbandonGroup(const Error& reason);
  void FailGroup(const Error& reason);
  Error ErrorOfStored(const Error& reason) const;
  void EndGroup();
  void HandleUnknownOutcome();
  void Recover();
  void RepairLog(std::vector<Put> lost);
  void CompleteLogRepair(CommitOutcome outcome);

  // --- background_work.cc

  bool StartBackgroundWork();
  bool IsBackgroundWorkPaused() const;
  bool WaitUntilIdle(double ms);
  bool MustFlushFirst() const;
  bool MayCompact() const;
  bool MustCompactFirst() const;
  bool StartFlush(double idle_ms);
  bool ContinueCompaction();
  void SendBackgroundStep(BackgroundStep step, bool is_flush);
  void CompleteBackgroundStep(CommitOutcome outcome);
  void InstallBackgroundStep();
  void FailBackgroundStep(const Error& reason);
  void Refresh(const Snapshot& snapshot);
  void EndRefresh(const Result<void>& read);

  EngineOptions options_;
  JsonReader json_;
  DateTime now_{};
  Phase phase_ = Phase::kClosed;
  std::unique_ptr<AccountState> state_;  // Null while the store is closed.
  PageCache cache_;
  LastTable last_table_;
  std::uint64_t examined_ = 0;
  std::uint64_t visited_reads_ = 0;

  // The work of all reads in this slice.  Once it is spent, must_yield_ is set
  // until Run() has returned Yield.
  WorkBudget work_;
  bool must_yield_ = false;
  bool is_read_paused_ = false;  // The read that had the last turn was paused.
  bool is_turn_of_paused_ = false;  // New reads used up the last slice.

  // The steps that the host has yet to do, and the ids with which it answers.
  std::list<Step> steps_;
  std::uint32_t last_io_ = 0;
  std::uint32_t log_io_ = 0;
  // The state's progress when the last read of the log began.
  AccountState::Progress asked_at_{};
  // The number of reads of the log so far, and the number of the last one that
  // succeeded.
  std::uint64_t refreshes_begun_ = 0;
  std::uint64_t refreshes_done_ = 0;
  bool is_log_io_exclusive_ = false;
  // The host keeps all other writers out until Supply() returns.
  bool is_held_ = false;
  DateTime contended_until_{};
  std::uint32_t pages_io_ = 0;
  std::uint32_t background_io_ = 0;

  RequestId last_request_ = 0;
  std::size_t waiting_bytes_ = 0;  // Of reads and writes.
  PendingReads reads_;
  std::list<PendingWrite> writes_;
  PageReader pages_;

  std::vector<std::unique_ptr<Import>> imports_;

  CommitGroup group_;
  StoredRows stored_;  // The rows that the commit group needs.
  // The manifest_changes() that the rows come from.
  std::uint64_t stored_version_ = 0;
  bool was_load_ = false;      // The last commit group was a load.
  bool must_recover_ = false;  // Nothing else may be committed first.
  std::uint64_t last_commit_ = 0;
  int creations_ = 0;  // Attempts to create a store.

  // The background step that is being stored, or that was moved and waits for a
  // refresh.  The window holds the pages of the next compaction step.
  std::optional<BackgroundStep> background_step_;
  bool is_flush_ = false;
  // The state's version when the step was sent.
  std::uint64_t background_state_version_ = 0;
  // The value of refreshes_begun_ when the step was completed.
  std::uint64_t reads_before_move_ = 0;
  std::unique_ptr<PageWindow> compaction_window_;
  bool is_compaction_waiting_ = false;
  bool is_background_work_stopped_ = false;
  // The time until the store is idle, if background work waits for that.
  double background_work_in_ms_ = 0;
  // The time when the engine made or saw the last change.
  DateTime last_change_{};
  bool is_refresh_due_ = false;

  // The storage was full for the last record that added something.  Deleted
  // data is cleared away at once.
  bool is_room_short_ = false;

  // After a failed step, background work pauses until the head reaches this
  // record.
  std::uint64_t background_work_paused_until_ = 0;
};

// The error for requests whose commit failed.
Error ErrorFor(CommitOutcome outcome);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ENGINE_IMPL_H_
