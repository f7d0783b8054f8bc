#include "read/index/index_entries.h"

#include <algorithm>
#include <optional>

#include "model/index_entry.h"
#include "read/query_support.h"
#include "store/store.h"

namespace entitable {

void IndexReading::Begin(const AccountState& state, TableId table) {
  End();
  table_ = table;
  head_ = state.head();
}

void IndexReading::End() {
  table_ = kNoTable;
  indexes_.clear();
}

// After writes to other tables the head moves on, so that the next question is
// about fewer changes.
bool IndexReading::IsStale(const AccountState& state, const Table& table) {
  if (table_ == kNoTable) return false;
  for (const TableId index : indexes_) {
    const auto& known = table.indexes;
    const bool has_it =
        std::ranges::find(known, index, &TableIndex::id) != known.end();
    if (!has_it) return true;
  }
  if (head_ == state.head()) return false;
  if (state.recent().HasChanged(table_, head_)) {
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

// Of all copies that one read keeps.
constexpr std::size_t kMaxKeptBytes = std::size_t{1} << 20;

}  // namespace

IndexWorth WorthOf(const IndexPlan& plan) {
  return {plan.equal_terms, plan.has_range};
}

bool Covers(const TableIndex& index, const NeededNames& needed) {
  if (!index.is_covering()) return false;
  if (index.copies.are_all) return true;
  const auto has_all = [&](const KeyTable& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!HasCopyOf(index.terms, index.copies, names[i])) return false;
    }
    return true;
  };
  return needed.selected != nullptr && has_all(*needed.selected) &&
         has_all(needed.tested);
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

bool Contain(const std::vector<SortRange>& ranges, std::string_view key) {
  const auto next =
      std::ranges::upper_bound(ranges, key, {}, &SortRange::begin);
  return next != ranges.begin() && key < std::prev(next)->end;
}

Poll<bool> IndexEntries::Read(const AccountState& state, PageWindow& window,
                              std::size_t most, WorkBudget& work) {
  while (keys_.size() < most) {
    ENTITABLE_TRY(const bool has_entry,
                  HasRow(scan_.Next(state, window, work)));
    if (!has_entry) return false;
    const auto entry = ParseSortKey(scan_.key());
    const auto key = entry ? IndexedKey(entry->key.view()) : std::nullopt;
    if (!key) return DamagedRow();
    keys_.push_back(MakeSortKey(table_, *key));
    if (has_copies_) KeepCopy(work);
    if (work.is_spent()) return Pending::kSlice;
  }
  return true;
}

void IndexEntries::KeepCopy(WorkBudget& work) {
  Entity copy = scan_.place().Decode();
  copied_bytes_ += copy.properties.bytes().size();
  work.Spend(copy.properties.bytes().size() / kBytesPerUnit);
  if (copy.timestamp == kNoCopy || copied_bytes_ > kMaxKeptBytes) {
    has_copies_ = false;
    copies_.clear();
  } else {
    copies_.push_back(std::move(copy));
  }
}

}  // namespace entitable
