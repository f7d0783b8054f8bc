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

#include "base/key_table.h"
#include "base/poll.h"
#include "base/work_budget.h"
#include "model/entity.h"
#include "model/row_filter.h"
#include "query/index_plan.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// When a read that uses indexes must begin again.
//
// Such a read takes several slices.  A write in between can move the entry of
// an entity from the part that is still unread to the part that is read, and
// the read would miss the entity.  Writes to other tables, flushes and
// compactions change no entry, so the read goes on.
class IndexReading {
 public:
  // Of the entries of a table, as they are now.
  void Begin(const AccountState& state, TableId table);

  // These are read.
  void Use(TableId index) { indexes_.push_back(index); }

  // Nothing that is written from now on matters.
  void End();

  // Whether the read must begin again, because the table was written since
  // Begin(), or an index is gone.  `table` is the newest state.
  bool IsStale(const AccountState& state, const Table& table);

  // False after 8 attempts that writes have ended.  The read must then do
  // without an index, or writes could delay it forever.
  bool may_begin() const { return broken_ < kMaxBroken; }

 private:
  static constexpr std::size_t kMaxBroken = 8;

  TableId table_ = kNoTable;  // While nothing is read.
  std::vector<TableId> indexes_;
  std::uint64_t head_ = 0;  // There were no changes up to this record.
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

// What a query needs of a row.
struct NeededNames {
  const KeyTable& tested;  // By its filter.
  // What it returns; null: all properties.
  const KeyTable* selected;
};

// Whether the entries have all that a query needs of the entities.
bool Covers(const TableIndex& index, const NeededNames& needed);

// An entity as far as a covering index has it.
struct CoveredRow {
  std::string key;  // Its sort key.
  Entity entity;

  bool operator<(const CoveredRow& other) const { return key < other.key; }
};

// The sort keys of the entries.
std::vector<SortRange> EntriesOf(TableId index, const IndexPlan& plan);

// Whether the ranges, which are in order, contain the key.
//
// There may be many ranges and keys, so this is a binary search.
bool Contain(const std::vector<SortRange>& ranges, std::string_view key);

// Goes on from a key, like any scan.  Entries of deleted rows are tombstones
// and cost work, so the read stops at the end of a slice, even if it has found
// nothing.
class IndexEntries {
 public:
  // `keeps_copies`: of a covering index.
  IndexEntries(TableId table, std::vector<SortRange> ranges, bool keeps_copies)
      : table_(table),
        scan_(std::move(ranges), every_row_, tally_),
        has_copies_(keeps_copies) {}

  // Reads until it has `most` entries.  Returns whether there may be more.
  // Fails with StorageDamaged.
  Poll<bool> Read(const AccountState& state, PageWindow& window,
                  std::size_t most, WorkBudget& work);

  // The sort keys of the rows, in the order of the entries.
  std::vector<std::string>& keys() { return keys_; }
  const std::vector<std::string>& keys() const { return keys_; }

  // Whether the rows need not be read.  It becomes false if an entry lacks its
  // copy, or if the copies are long together.
  bool has_copies() const { return has_copies_; }
  std::vector<Entity>& copies() { return copies_; }

  // The pages are gone.
  void Interrupt() { scan_.Interrupt(); }

 private:
  void KeepCopy(WorkBudget& work);

  TableId table_;
  EveryRow every_row_;
  ScanTally tally_;
  Scan scan_;
  std::vector<std::string> keys_;
  bool has_copies_;
  std::vector<Entity> copies_;  // One for each key.
  std::size_t copied_bytes_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_READ_INDEX_INDEX_ENTRIES_H_
