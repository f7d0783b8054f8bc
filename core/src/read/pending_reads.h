// pending_reads.h - the reads that are not answered yet, by what they wait for.

#ifndef ENTITABLE_READ_PENDING_READS_H_
#define ENTITABLE_READ_PENDING_READS_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "entitable/steps.h"
#include "host/memory.h"
#include "read/query.h"
#include "store/store.h"

namespace entitable {

struct PendingRead {
  RequestId id;
  std::unique_ptr<Query> query;
  Charge charge;
  std::uint64_t
      refresh;  // The read may not begin before this refresh has ended.
  std::list<PendingRead>* list = nullptr;  // That has the read.
};

// A waiting read costs nothing: its list is not visited until the awaited event
// happens, nor when another read is removed.
class PendingReads {
 public:
  using List = std::list<PendingRead>;
  using Place = List::iterator;

  PendingReads() = default;
  PendingReads(const PendingReads&) = delete;
  PendingReads& operator=(const PendingReads&) = delete;

  // Wait for a refresh (a read of the log), in the order of refreshes.
  List awaiting_refresh;
  List ready;    // Can begin, or must check for changes.
  List paused;   // Have used up a slice.  The first one has waited longest.
  List waiting;  // Wait for pages.
  std::map<TableId, List> idle;  // Wait for a change of the table.

  bool is_empty() const { return places_.empty(); }

  void Add(PendingRead read, List& to);
  void Erase(Place at);

  // Moves a read, or all reads of a list, to the end of another list.
  static void Move(Place at, List& to);
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
  std::map<RequestId, Place> places_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_PENDING_READS_H_
