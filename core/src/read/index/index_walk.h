// index_walk.h - goes through entities in the order of an index.
//
// A query with an order and few rows to return would scan the table for them.
// If an index has that order, its first entries lead to the rows instead, until
// there are enough.
//
//   entries   e1 e2 e3 ... e17 | e18 ...    as many as are wanted, and 16 more
//   rows      r1 r2 r3 ... r17              looked up, 64 asked for at once
//
// Each row costs a search in the pages.  After kMaxIndexRows rows the walk
// gives up, and the query scans: then the filter leaves out so many rows that a
// scan is cheaper.

#ifndef ENTITABLE_READ_INDEX_INDEX_WALK_H_
#define ENTITABLE_READ_INDEX_INDEX_WALK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/poll.h"
#include "query/order.h"
#include "read/index/index_entries.h"
#include "read/query.h"
#include "store/lookup.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// For queries that need only the first entities of an order.
class IndexWalk {
 public:
  // Through the index that has the order, behind terms for which the
  // filter has one value each; of several indexes, that of which the filter
  // uses most.  Null if there is none, or if `other`, how much of another index
  // the filter uses, is more.
  static std::unique_ptr<IndexWalk> Through(
      TableId table, std::span<const PlannedIndex> planned,
      std::span<const OrderTerm> order, const IndexWorth& other,
      const NeededNames& needed);

  IndexWalk(TableId table, TableId index, std::vector<SortRange> entries,
            bool covers)
      : index_(index), entries_(table, std::move(entries), covers) {}

  TableId index() const { return index_; }

  enum class Found : std::uint8_t {
    kRow,
    kEnd,
    kTooMany,  // A scan would have been cheaper.
  };

  // Leaves out rows that are not in the ranges, which are in order.  `wanted`:
  // about how many more rows are needed.  Fails with StorageDamaged.
  //
  // An entry whose row is not there is passed over.  Rows that a covering index
  // has are not looked up.
  Poll<Found> Next(const QueryContext& context,
                   const std::vector<SortRange>& ranges, std::size_t wanted,
                   PageWindow& window);

  // Valid until the next call.
  const std::string& key() const { return entries_.keys()[next_ - 1]; }
  const EntityPlace& place() const { return place_; }

  // The rows that were found, if the index has all that the query needs.  They
  // are in the order of their keys, and need not be read again.
  std::vector<CoveredRow> TakeRows();

  // The pages are gone.
  void Interrupt() { entries_.Interrupt(); }

 private:
  TableId index_;
  IndexEntries entries_;
  bool is_reading_ = false;  // Entries; else their rows.
  std::size_t next_ = 0;     // Among the entries that were read.
  EntityPlace place_;
  EntityView copy_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_INDEX_WALK_H_
