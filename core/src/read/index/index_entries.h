// index_entries.h - reads entries of an index, and says when to begin again.

#ifndef ENTITABLE_READ_INDEX_INDEX_ENTRIES_H_
#define ENTITABLE_READ_INDEX_INDEX_ENTRIES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work_budget.h"
#include "model/row_filter.h"
#include "query/index_plan.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// When a read that uses an index must begin again.
//
// Such a read takes several slices.  A write in between can move the entry of
// an entity from the part that is still unread to the part that is read, and
// the read would miss the entity.  Writes to other tables, flushes and
// compactions change no entry, so the read goes on.

class AccountState;

class IndexReading {
 public:
  // Of the entries of a table, as they are now.
  void Begin(const AccountState& state, TableId table);

  // Nothing that is written from now on matters.
  void End() { table_ = kNoTable; }

  // Whether the table was written since Begin(), so that the read must begin
  // again.
  bool IsBroken(const AccountState& state);

  // False after 8 broken attempts.  The read must then do without an index, or
  // writes could delay it forever.
  bool may_begin() const { return broken_ < kMaxBroken; }

 private:
  static constexpr std::size_t kMaxBroken = 8;

  TableId table_ = kNoTable;  // While nothing is read.
  std::uint64_t head_ = 0;    // There were no changes up to this record.
  std::size_t broken_ = 0;
};

// --------------------------------------------------------------- index entries

// An index is never used for more entries than this.  To look up so many rows
// takes some 20 ms.
inline constexpr std::size_t kMaxIndexRows = 1000;

// How much of an index a filter uses: more is better.
struct IndexWorth {
  std::size_t equal_terms = 0;
  bool has_range = false;

  auto operator<=>(const IndexWorth&) const = default;
};
IndexWorth WorthOf(const IndexPlan& plan);

// A complete index by values, and where a filter leads in it.
struct PlannedIndex {
  const TableIndex& index;
  IndexPlan plan;
};

// The sort keys of the entries.
std::vector<SortRange> EntriesOf(TableId index, const IndexPlan& plan);

// Whether the table still has the index.
bool HasIndex(const Table& table, TableId index);

// Whether the ranges, which are in order, contain the key.
bool Contain(const std::vector<SortRange>& ranges, std::string_view key);

class IndexEntries {
 public:
  IndexEntries(TableId table, std::vector<SortRange> ranges)
      : table_(table), scan_(std::move(ranges), every_row_, tally_) {}

  enum class Reading : std::uint8_t {
    kMore,  // `most` entries were read, and there may be more.
    kEnd,
    kWaiting,  // Pages are missing; the window knows which.
    kPaused,   // The work budget is spent, and there is more to do.
    kDamaged,
  };

  // Reads until it has `most` entries.
  Reading Read(const AccountState& state, PageWindow& window, std::size_t most,
               WorkBudget& work);

  // The sort keys of the rows, in the order of the entries.
  std::vector<std::string>& keys() { return keys_; }
  const std::vector<std::string>& keys() const { return keys_; }

  // The pages are gone.
  void Interrupt() { scan_.Interrupt(); }

 private:
  TableId table_;
  EveryRow every_row_;
  ScanTally tally_;
  Scan scan_;
  std::vector<std::string> keys_;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_INDEX_ENTRIES_H_
