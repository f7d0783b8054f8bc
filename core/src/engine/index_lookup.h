// index_lookup.h - looks up in an index where the matches of a filter can be.
//
// The result is a list of key ranges, each of one row.  So the scan behind it,
// the order of its rows and its continuation are those of a query without an
// index.

#ifndef ENTITABLE_ENGINE_INDEX_LOOKUP_H_
#define ENTITABLE_ENGINE_INDEX_LOOKUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/index_entries.h"
#include "engine/query.h"
#include "entitable/result.h"
#include "model/key_range.h"
#include "query/filter.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {

class IndexLookup {
 public:
  // Forgets everything.  `ranges` are those of the query without an index: in
  // order, and disjoint.
  void Begin(std::vector<SortRange> ranges);

  // Chooses the complete index of which the filter compares most of the first
  // terms for equality, and among these one of which it limits the next term;
  // none if the keys already lead to a part of a partition.  `ranges` are the
  // same as above.  Returns the plans of all indexes that a filter may use, if
  // the keys do not lead to less.
  std::vector<PlannedIndex> Choose(const Table& table, const Filter& filter,
                                   const std::vector<KeyRange>& ranges);

  // As given to Begin(), before Find().
  const std::vector<SortRange>& ranges() const { return ranges_; }

  // How much of the index the filter uses.
  const IndexWorth& worth() const { return worth_; }

  // The ranges to scan.  `table` is the newest state: an index may be gone
  // since it was chosen.  Fails if pages are missing, and with StorageDamaged.
  Result<std::vector<SortRange>> Find(const QueryContext& context,
                                      const Table& table, PageWindow& window);

  // Whether something was written since Find() has used an index.  Then the
  // query must begin again: rows that match now may not be in its ranges. After
  // 8 retries it scans, so that writes cannot delay it forever.
  bool IsStale(const AccountState& state);

  // The pages are gone.
  void Interrupt();

  // Whether the scan reads only the rows that an index names, and which index.
  // Find() decides this.
  bool is_used() const { return is_used_; }
  const std::string& name() const { return name_; }

 private:
  Result<bool> ReadEntries(const QueryContext& context, PageWindow& window);
  Result<bool> ReadUpTo(std::size_t most, const QueryContext& context,
                        PageWindow& window);
  std::vector<SortRange> RangesOfRows();

  std::vector<SortRange> ranges_;
  IndexWorth worth_;
  TableId index_ = kCatalogue;
  std::string name_;
  std::optional<IndexEntries> entries_;  // Nothing: no index was chosen.
  bool is_used_ = false;
  std::uint64_t head_ = 0;  // The log when the entries were read.
  std::size_t retries_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_INDEX_LOOKUP_H_
