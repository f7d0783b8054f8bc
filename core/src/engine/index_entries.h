// index_entries.h - reads entries of an index, all of one version of the state.
//
// A change between two reads can move the entry of an entity from the part that
// is still unread to the part that is read.  A reader would miss it, so it
// begins again when the state has changed.

#ifndef ENTITABLE_ENGINE_INDEX_ENTRIES_H_
#define ENTITABLE_ENGINE_INDEX_ENTRIES_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work_budget.h"
#include "query/index_plan.h"
#include "store/sort_key.h"
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

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
  IndexEntries(TableId table, std::vector<SortRange> ranges);
  ~IndexEntries();

  void Begin(const AccountState& state);
  bool IsIn(const AccountState& state) const;

  enum class Reading : std::uint8_t {
    kMore,  // `most` entries were read, and there may be more.
    kEnd,
    kWaiting,  // Pages are missing; the window knows which.
    kDamaged,
  };

  // Reads until it has `most` entries, in one slice.  The state must be that of
  // Begin().
  Reading Read(const AccountState& state, PageWindow& window, std::size_t most,
               WorkBudget& work);

  // The sort keys of the rows, in the order of the entries.
  std::vector<std::string>& keys() { return keys_; }
  const std::vector<std::string>& keys() const { return keys_; }

  // The pages are gone.
  void Interrupt();

 private:
  struct Progress;

  TableId table_;
  std::vector<SortRange> ranges_;
  std::unique_ptr<Progress> progress_;
  std::vector<std::string> keys_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_INDEX_ENTRIES_H_
