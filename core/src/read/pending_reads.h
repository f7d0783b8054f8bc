// pending_reads.h - the reads that are not answered yet, by what they wait for.

#ifndef ENTITABLE_READ_PENDING_READS_H_
#define ENTITABLE_READ_PENDING_READS_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "entitable/steps.h"
#include "host/charge.h"
#include "read/query.h"
#include "store/store.h"

namespace entitable {

struct PendingRead {
  RequestId id;
  std::unique_ptr<Query> query;
  Charge charge;
  std::uint64_t
      refresh;  // The read may not begin before this refresh has ended.
};

// A waiting read costs nothing: its list is not visited until the awaited event
// happens.
struct PendingReads {
  using List = std::list<PendingRead>;

  // Wait for a refresh (a read of the log), in the order of refreshes.
  List awaiting_refresh;
  List ready;    // Can begin, or must check for changes.
  List paused;   // Have used up a slice.  The first one has waited longest.
  List waiting;  // Wait for pages.
  std::map<TableId, List> idle;  // Wait for a change of the table.

  bool is_empty() const;

  // The refresh has ended.  The reads that waited for it, or for an earlier
  // one, are ready.
  void EndRefresh(std::uint64_t refresh) {
    ready.splice(ready.end(), TakeAwaitingRefresh(refresh));
  }

  // The reads that wait for a change of one of these tables are ready.
  void Wake(const RecentChanges::Touched& touched);

  // Removes the read.  Returns false if it is not there.
  bool Remove(RequestId id);

  // Takes the reads that wait for this refresh or an earlier one; or all reads.
  List TakeAwaitingRefresh(std::uint64_t refresh);
  List TakeAll();
};

}  // namespace entitable

#endif  // ENTITABLE_READ_PENDING_READS_H_
