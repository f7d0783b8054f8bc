// pending_reads.h - the reads that are not answered yet, by what they wait for.

#ifndef ENTITABLE_ENGINE_PENDING_READS_H_
#define ENTITABLE_ENGINE_PENDING_READS_H_

#include <cstdint>
#include <list>
#include <map>
#include <memory>

#include "engine/charge.h"
#include "engine/query.h"
#include "entitable/engine.h"
#include "store/account_state.h"
#include "store/recent_changes.h"

namespace entitable {

struct PendingRead {
  RequestId id;
  std::unique_ptr<Query> query;
  Charge charge;
  std::uint64_t
      refresh;  // It may not begin before this look at the log is over.
};

// A read costs nothing while it waits: it is in a list that nobody goes through
// until there is what it waits for.
struct PendingReads {
  using List = std::list<PendingRead>;

  List awaiting_refresh;  // They wait for a look at the log, in the order of
                          // looks.
  List ready;             // They may begin, or have to see what has changed.
  List paused;   // They have used a slice up; the next one has waited longest.
  List waiting;  // They wait for pages.
  std::map<TableId, List> idle;  // They wait for a change of the table.

  bool is_empty() const;

  // The look is over: those that waited for it, or for one before, are ready.
  void EndRefresh(std::uint64_t refresh) {
    ready.splice(ready.end(), TakeAwaitingRefresh(refresh));
  }

  // Those that wait for a change of one of these tables are ready.
  void Wake(const RecentChanges::Touched& touched);

  // Whether it was there; then it is gone.
  bool Remove(RequestId id);

  // Those that wait for this look or for one before; all.
  List TakeAwaitingRefresh(std::uint64_t refresh);
  List TakeAll();
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_PENDING_READS_H_
