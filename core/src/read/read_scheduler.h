// read_scheduler.h - the reads, from their submission until they are answered.

#ifndef ENTITABLE_READ_READ_SCHEDULER_H_
#define ENTITABLE_READ_READ_SCHEDULER_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>

#include "base/poll.h"
#include "base/work_budget.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "read/query.h"
#include "store/store.h"

namespace entitable {

// Receives what a read has found, in place of the host.
class FoundReceiver {
 public:
  virtual ~FoundReceiver() = default;
  virtual void Receive(RequestId id, Response found) = 0;
};

// The reads that are not answered yet, by what they wait for:
//
//   new --> awaiting_refresh --the log was read--> ready
//   new --> ready
//
//   a turn of a read in ready, paused or waiting ends in one of these:
//
//     answered        it is erased
//     slice spent     paused, behind all others there
//     pages missing   waiting; or back to ready, if too many reads wait already
//     no change       idle, under the table that it follows
//
//   idle    --a commit has changed the table--> ready
//   waiting --pages were fetched--> a turn for each of them at once

struct PendingRead {
  RequestId id;
  std::unique_ptr<Query> query;
  Charge charge;
  std::uint64_t
      refresh;  // The read may not begin before this refresh has ended.
  std::unique_ptr<FoundReceiver> receiver = nullptr;  // Null: the host.
  std::list<PendingRead>* list = nullptr;             // That has the read.
};

// A waiting read costs nothing: its list is not visited until the awaited event
// happens, nor when another read is removed.
class PendingReads {
 public:
  using List = std::list<PendingRead>;
  using Iterator = List::iterator;

  PendingReads() = default;
  PendingReads(const PendingReads&) = delete;
  PendingReads& operator=(const PendingReads&) = delete;

  // Wait for a refresh (a read of the log), in the order of refreshes.
  List awaiting_refresh;
  List ready;    // Can begin, or must check for changes.
  List paused;   // Have used up a slice.  The first one has waited longest.
  List waiting;  // Wait for pages.
  std::map<TableId, List> idle;  // Wait for a change of the table.

  bool is_empty() const { return by_id_.empty(); }

  // These take the logarithm of the number of reads, because followers may be
  // many.
  void Add(PendingRead read, List& to);
  void Erase(Iterator at);

  // Moves a read, or all reads of a list, to the end of another list.
  static void Move(Iterator at, List& to);
  static void MoveAll(List& from, List& to);

  // The refresh has ended.  The reads that waited for it, or for an earlier
  // one, are ready.
  void EndRefresh(std::uint64_t refresh) {
    MoveAwaitingRefresh(refresh, ready);
  }

  // The reads that wait for a change of one of these tables are ready.
  void Wake(const RecentChanges::Touched& touched);

  // Removes the read.  Returns false if it is not there.
  bool Remove(RequestId id);

  // Moves the reads that wait for this refresh or an earlier one; or all reads.
  void MoveAwaitingRefresh(std::uint64_t refresh, List& to);
  void MoveEverything(List& to);

 private:
  std::map<RequestId, Iterator> by_id_;
};

// -------------------------------------------------------------- read scheduler

// Decides which read has its turn.
//
// Invariants:
// - All reads together do no more than a slice of work before the host gets a
//   turn (WorkLimits), beside the step that spends the rest of the slice.  They
//   share the slice with imports.
// - Reads that wait or are paused together hold a bounded number of bytes of
//   pages, and yet one of them can always go on.
// - A read that waits costs nothing until the awaited event happens.
class ReadScheduler {
 public:
  // The windows are those of the other users of the page cache.
  ReadScheduler(const EngineOptions& options, const HostMemory& memory,
                Store& store, PageReader& pages, HostLink& host,
                WorkBudget& work, const PageWindow& of_writes,
                const PageWindow& of_compaction);

  // `is_fresh`: the read first waits for a read of the log that begins later
  // than now.  `receiver`: gets the answer if it is no failure.
  void Add(RequestId id, std::unique_ptr<Query> query, bool is_fresh,
           std::size_t bytes,
           std::unique_ptr<FoundReceiver> receiver = nullptr);

  // Removes a read.  Returns false if it is not there.
  bool Remove(RequestId id) { return reads_.Remove(id); }

  bool is_empty() const { return reads_.is_empty(); }
  bool HasRunnable();

  // Gives one read its turn.  Returns false if none can run.
  //
  // Reads that are ready come first, then those that are paused.  But when a
  // ready read has used up the slice, a paused one has the first turn of the
  // next slice.
  bool Advance();

  // Pages were fetched: all reads that wait for pages look for them again.
  //
  // They do not wait for their turn, because the pages are in memory now and
  // might not be later.  A read that misses pages again waits again.
  void ContinueWithPages();

  // The answer to the read with this id, if it is the last one and succeeds at
  // once.  Otherwise the read takes the usual way.  So a read whose pages are
  // in memory costs no step and no turn of the event loop.
  std::optional<Response> AnswerAtOnce(RequestId id);

  // Another state is open: nothing is known of it.
  void ForgetTable() {
    last_table_ = {};
    ordered_rest_.reset();
  }

  // Reads of the log, for which some reads wait.
  bool is_awaiting_refresh() const { return !reads_.awaiting_refresh.empty(); }
  void EndRefresh() { reads_.EndRefresh(host_.log_reads_done()); }
  void FailAwaitingRefresh(const Error& reason);

  void FailWaitingForPages(const Error& reason);
  void FailAll(const Error& reason);

  std::size_t waiting_bytes() const { return waiting_bytes_; }
  std::uint64_t examined_entities() const { return examined_; }
  std::uint64_t visited_reads() const { return visited_; }

 private:
  using Iterator = PendingReads::Iterator;

  std::optional<Iterator> Next(bool paused_first);
  std::optional<Iterator> NextReady();
  std::optional<Iterator> NextPaused();
  bool MayHoldPages() const;
  bool MayWait() const;
  Poll<Response> AnswerOf(Iterator at);
  bool MakeRoom(Iterator at);
  void PutAside(Iterator at, Pending reason, bool may_wait);
  void Pause(Iterator at);
  void Continue(Iterator at);
  void Fail(PendingReads::List& reads, const Error& reason);

  const EngineOptions& options_;
  const HostMemory& memory_;
  Store& store_;
  PageReader& pages_;
  HostLink& host_;
  WorkBudget& work_;  // What is left of the slice.
  const PageWindow& of_writes_;
  const PageWindow& of_compaction_;

  std::size_t waiting_bytes_ = 0;
  PendingReads reads_;
  LastTable last_table_;
  ReadBuffers buffers_;
  std::unique_ptr<OrderedRest> ordered_rest_;  // By the last ordered query.
  std::uint64_t examined_ = 0;
  std::uint64_t visited_ = 0;

  bool is_paused_ = false;  // The read that had the last turn was paused.
  bool is_turn_of_paused_ = false;  // New reads used up the last slice.
};

}  // namespace entitable

#endif  // ENTITABLE_READ_READ_SCHEDULER_H_
