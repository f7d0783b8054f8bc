// index_lookup.h - looks up in an index where the matches of a filter can be.
//
// The result is a list of key ranges, each of one row.  So the scan behind it,
// the order of its rows and its continuation are those of a query without an
// index.
//
// To use an index pays only if it names few rows.  How many these may be
// depends on what a scan would read, and to find that out reads directory
// pages.  So the lookup has steps, and each of them is only done if the one
// before leaves it open:
//
// 1. Choose(): if the keys lead to a part of a partition, no index is used.  Of
//    several indexes, the one with the most equal terms is chosen, then one
//    with a range.
// 2. Up to kFewRows entries are looked up in any case.
// 3. If there are more, it is found out how many lookups cost as much as the
//    scan.
// 4. As many entries are read, and one more, which would show that there are
//    too many.
//
// The scan evaluates the whole filter on the rows that are named.  So an index
// may name too many rows, but never too few.
//
// If a covering index has all that the query needs, there is no scan: the query
// takes the rows as the entries have them, in the order of their keys.

#ifndef ENTITABLE_READ_INDEX_INDEX_LOOKUP_H_
#define ENTITABLE_READ_INDEX_INDEX_LOOKUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/poll.h"
#include "model/entity_key.h"
#include "query/filter.h"
#include "read/index/index_entries.h"
#include "read/query.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {

// How much of a table a plan reads.

// The cheapest first.
enum class AccessPath : std::uint8_t {
  kNothing,
  kPoint,
  kRowRange,        // A part of one partition.
  kPartitionScan,   // All of one partition.
  kPartitionRange,  // Several adjacent partitions.
  kTableScan,
};

// The most expensive path among the ranges.
AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges);

// For example "point".
std::string_view AccessPathName(AccessPath path);

// ---------------------------------------------------------------- index lookup

class IndexLookup {
 public:
  // `reading` is that of the query, which must outlive this object.
  explicit IndexLookup(IndexReading& reading) : reading_(reading) {}

  // Forgets everything.  `ranges` are those of the query without an index: in
  // order, and disjoint.
  void Begin(std::vector<SortRange> ranges);

  // Chooses the complete index of which the filter compares most of the first
  // terms for equality, and among these one of which it limits the next term;
  // none if the keys already lead to a part of a partition.  `ranges` are the
  // same as above.  Of two that are worth the same, one that covers the query
  // is chosen; `needed` is null if the query must read the rows anyway.
  // Returns the plans of all indexes that a filter may use, if the keys do not
  // lead to less.
  std::vector<PlannedIndex> Choose(const AccountState& state,
                                   const Table& table, const Filter& filter,
                                   const std::vector<KeyRange>& ranges,
                                   const NeededNames* needed = nullptr);

  // As given to Begin(), before Find().
  const std::vector<SortRange>& ranges() const { return ranges_; }

  // How much of the index the filter uses.
  const IndexWorth& worth() const { return worth_; }

  // The ranges to scan; none if is_covered().  Fails with StorageDamaged.
  Poll<std::vector<SortRange>> Find(const QueryContext& context,
                                    PageWindow& window);

  // Whether the index has all that the query needs.  Find() decides this, too.
  bool is_covered() const { return is_covered_; }

  // The rows that the index names, in the order of their keys.
  std::vector<CoveredRow> TakeRows() { return std::move(rows_); }

  // The pages are gone.
  void Interrupt();

  // Whether the scan reads only the rows that an index names, and which index.
  // Find() decides this.
  bool is_used() const { return is_used_; }
  const TableIndex& index() const { return chosen_; }

 private:
  Poll<bool> ReadEntries(const QueryContext& context, PageWindow& window);
  Poll<bool> ReadUpTo(std::size_t most, const QueryContext& context,
                      PageWindow& window);
  std::vector<SortRange> RangesOfRows();
  void KeepRows();

  std::vector<SortRange> ranges_;
  IndexWorth worth_;
  TableIndex chosen_{};
  std::optional<IndexEntries> entries_;  // Nothing: no index was chosen.
  // How many rows to look up at most, once it is known.
  //
  // It is kept while the entries are read, so that directory pages are asked
  // for once.
  std::optional<std::size_t> most_;
  bool is_used_ = false;
  bool is_covered_ = false;
  std::vector<CoveredRow> rows_;
  IndexReading& reading_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_INDEX_LOOKUP_H_
