#include "read/index/index_entries.h"

#include <algorithm>
#include <optional>

#include "model/index_entry.h"
#include "store/store.h"

namespace entitable {

void IndexReading::Begin(const AccountState& state, TableId table) {
  table_ = table;
  head_ = state.head();
}

bool IndexReading::IsBroken(const AccountState& state) {
  if (table_ == kNoTable || head_ == state.head()) return false;
  if (state.recent().HaveChanged(WholeTable(table_), head_)) {
    End();
    ++broken_;
    return true;
  }
  head_ = state.head();
  return false;
}

// --------------------------------------------------------------- index entries

namespace {

// Behind all keys that begin with the bytes before it.
constexpr char kBehind = '\xFF';

}  // namespace

IndexWorth WorthOf(const IndexPlan& plan) {
  return {plan.equal_terms, plan.has_range};
}

std::vector<SortRange> EntriesOf(TableId index, const IndexPlan& plan) {
  const std::string table = WholeTable(index).begin;
  std::vector<SortRange> ranges;
  ranges.reserve(plan.ranges.size());
  for (const auto& [first, last] : plan.ranges) {
    ranges.push_back({table + first, table + last + kBehind});
  }
  return ranges;
}

bool HasIndex(const Table& table, TableId index) {
  return std::ranges::find(table.indexes, index, &TableIndex::id) !=
         table.indexes.end();
}

bool Contain(const std::vector<SortRange>& ranges, std::string_view key) {
  const auto next =
      std::ranges::upper_bound(ranges, key, {}, &SortRange::begin);
  return next != ranges.begin() && key < std::prev(next)->end;
}

IndexEntries::Reading IndexEntries::Read(const AccountState& state,
                                         PageWindow& window, std::size_t most,
                                         WorkBudget& work) {
  while (keys_.size() < most) {
    switch (scan_.Next(state, window, work)) {
      case Scan::Step::kRow:
        break;
      case Scan::Step::kEnd:
        return Reading::kEnd;
      case Scan::Step::kWaiting:
        return Reading::kWaiting;
      case Scan::Step::kPaused:
        return Reading::kPaused;
    }
    const auto entry = ParseSortKey(scan_.key());
    const auto key = entry ? IndexedKey(entry->key.view()) : std::nullopt;
    if (!key) return Reading::kDamaged;
    keys_.push_back(MakeSortKey(table_, *key));
    if (work.is_spent()) return Reading::kPaused;
  }
  return Reading::kMore;
}

}  // namespace entitable
