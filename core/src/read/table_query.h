// table_query.h - the frame of the reads of a table's entities.

#ifndef ENTITABLE_READ_TABLE_QUERY_H_
#define ENTITABLE_READ_TABLE_QUERY_H_

#include <optional>
#include <vector>

#include "base/poll.h"
#include "read/index/index_entries.h"
#include "read/index/index_lookup.h"
#include "read/query.h"
#include "read/read_request.h"
#include "store/scan.h"
#include "store/table_row.h"
#include "wire/entity_writer.h"

namespace entitable {

// Such a read takes several slices, and waits for pages in between.  Whenever
// it goes on, it first looks at the table again.  If the table was dropped and
// created again, its entities are others; if it was written, what an index has
// named may not be all.  In both cases the read begins again.  Otherwise it
// searches, which ends once, and then answers.
//
//   Continue() --> FindTable --> another table, or stale --> Begin()
//                      |                                        |
//                      v                                        v
//                  Search(), until it has ended --> Answer()
//
// A read that only scans never begins again because of writes: its position is
// a key, and it returns each entity as it is when the scan comes to it.  So a
// list is no snapshot, but it has each entity that was there all the time
// exactly once.
class TableQuery : public Query {
 public:
  explicit TableQuery(PageCache& cache) : Query(cache) {}

  std::vector<SortRange> Ranges() const override;

 protected:
  void Interrupt() override;

  virtual const QueryEntitiesRequest& query() const = 0;

  // Begins, or begins again.  table_ is still that of the last time.
  virtual void Begin(const QueryContext& context, const Table& table) = 0;

  virtual bool IsStale(const AccountState& state, const Table& table) {
    return reading_.IsStale(state, table);
  }

  // Both go on where they have stopped.
  virtual Poll<void> Search(const QueryContext& context) = 0;
  virtual Poll<Response> Answer(const QueryContext& context) = 0;

  PayloadContext PayloadOf(const QueryContext& context) const;

  TableId table_ = kNoTable;  // Until it is known.
  ScanTally tally_;
  std::optional<Scan> scan_;
  IndexReading reading_;
  IndexLookup index_{reading_};  // Of values; a search by words has none.
  bool ends_ = false;            // The page of a list has ended early.

 private:
  Poll<Response> Evaluate(const QueryContext& context) final;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_TABLE_QUERY_H_
