// engine_impl.h - the state of an engine, and what moves it on.
//
// engine.cc has requests, steps, opening and pages; reads.cc the reads;
// commit_groups.cc the writes; imports.cc imports; background_work.cc folds and
// merges.

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

// What the engine waits for as far as the log goes, or that it does not.
enum class Phase : std::uint8_t {
  kClosed,        // Nothing is known; the next request opens the store.
  kOpening,       // Reads the top of the store and the log.
  kCreating,      // Commits the base of a new store.
  kReady,         // Waits for nothing.
  kFetching,      // Reads pages that the round needs.
  kCommitting,    // Commits the round.
  kChecking,      // Reads what is new, to evaluate the round again.
  kRecovering,    // Reads all that is not in pages, to learn what became of the
                  // round, and whether the storage still has it.
  kRepairingLog,  // Commits what the storage no longer has.
  kRefreshing,    // Reads what is new: a step of upkeep was refused, or a read
                  // wants to know.
  kEvicted,       // The store is gone: answers what memory knows, for good.
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

  // Lets it wait for its turn, if it is sound and there is room.
  Result<void> Take(RequestId id, const Operation& operation);
  bool HasRoomFor(std::size_t bytes) const;

  // Works on, and says whether there was anything to do without the host.
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

  // Everything that waits is answered with the reason, and the store is opened
  // afresh by the next request.
  void FailAll(const Error& reason);

  bool HasMemory() const;

  // --- reads.cc

  // Where a read stands.
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

  // --- rounds.cc

  // Whether others write so much that it is no use to try without holding them
  // off.
  bool IsContended() const;
  void NoteContention(std::uint64_t old_head);

  // Answers all writes that wait with the reason.
  void FailWaiting(const Error& reason);

  // The same for the one that is next.
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

  // --- upkeep.cc

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

  // Of all reads, until Run() has returned Yield: then there is more to do.
  WorkBudget work_;
  bool must_yield_ = false;
  bool is_read_paused_ = false;     // The last that had a turn.
  bool is_turn_of_paused_ = false;  // New reads have used the last slice up.

  // What the host is to do, and by which numbers it answers.
  std::list<Step> steps_;
  std::uint32_t last_io_ = 0;
  std::uint32_t log_io_ = 0;
  AccountState::Progress asked_at_{};  // By the last of these reads.
  std::uint64_t refreshes_begun_ = 0;  // How many of them there were,
  std::uint64_t refreshes_done_ = 0;   // and which was the last to succeed.
  bool is_log_io_exclusive_ = false;
  bool is_held_ = false;  // Nobody else can write before Supply() is over.
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
  StoredRows stored_;                 // For the round.
  std::uint64_t stored_version_ = 0;  // Of the root that they are of.
  bool was_load_ = false;             // The last round.
  bool must_recover_ = false;         // Before anything else is committed.
  std::uint64_t last_commit_ = 0;
  int creations_ = 0;  // Attempts to make a store.

  // The step of upkeep that is being stored; or was moved, until a read tells
  // what is there.  And the pages of the next one.
  std::optional<BackgroundStep> background_step_;
  bool is_flush_ = false;
  std::uint64_t background_state_version_ =
      0;  // Of the state, when it was sent.
  std::uint64_t reads_before_move_ =
      0;  // refreshes_begun_, when it was settled.
  std::unique_ptr<PageWindow> compaction_window_;
  bool is_compaction_waiting_ = false;
  bool is_background_work_stopped_ = false;
  double background_work_in_ms_ =
      0;                    // Until it is quiet, if upkeep waits for that.
  DateTime last_change_{};  // When it was made, or heard of.
  bool is_refresh_due_ = false;

  // The last record that was to add something found no room: what was deleted
  // is cleared away at once.
  bool is_room_short_ = false;

  // After a step was refused: not again before the log is so long.
  std::uint64_t background_work_paused_until_ = 0;
};

// What to answer when the storage does not take something.
Error ErrorFor(CommitOutcome outcome);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ENGINE_IMPL_H_
