#include "store/lookup.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/key_table.h"
#include "store/directory_page.h"

namespace entitable {

std::size_t KeyedEntity::FindAll(const KeyTable& names,
                                 std::span<std::optional<Value>> values) const {
  const bool wants_key = names.Find("PartitionKey") != KeyTable::kNone ||
                         names.Find("RowKey") != KeyTable::kNone;
  if (wants_key && !place_) place_ = ParseSortKey(sort_key_);
  return EntityRow(place_ ? place_->key.view() : EntityKeyView(), entity_)
      .FindAll(names, values);
}

// ---------------------------------------------------------------------- lookup

namespace {

enum class Trace : std::uint8_t { kNone, kPut, kDeleted, kUnknown };

Trace FindInRun(const Run& run, std::string_view sort_key, PageWindow& window,
                EntityPlace& place) {
  if (!run.MayHold(sort_key)) return Trace::kNone;
  const auto above = FindPageEntry(run.directories, sort_key);
  const DirectoryPage* directory = window.Directory(run.directories[above]);
  if (directory == nullptr) return Trace::kUnknown;
  const std::vector<PageEntry>& leaves = directory->leaves;
  const PageEntry& entry = leaves[FindPageEntry(leaves, sort_key)];
  const LeafPage* leaf = window.Leaf(entry);
  if (leaf == nullptr) return Trace::kUnknown;
  const auto row = leaf->FindRow(sort_key);
  if (!row) return Trace::kNone;
  if (leaf->is_tombstone(*row)) return Trace::kDeleted;
  place = {.leaf = leaf, .page = entry.page, .row = *row};
  return Trace::kPut;
}

}  // namespace

// If pages of a newer run are missing, the search continues in the older runs.
// The pages of all runs are then fetched together instead of one after another.
Presence FindInPages(const Manifest& manifest, std::string_view sort_key,
                     PageWindow& window, EntityPlace& place) {
  bool is_known = true;
  for (const Run& run : manifest.runs) {
    switch (FindInRun(run, sort_key, window, place)) {
      case Trace::kNone:
        break;
      case Trace::kUnknown:
        is_known = false;
        break;
      case Trace::kPut:
        return is_known ? Presence::kThere : Presence::kUnknown;
      case Trace::kDeleted:
        return is_known ? Presence::kNotThere : Presence::kUnknown;
    }
  }
  return is_known ? Presence::kNotThere : Presence::kUnknown;
}

Presence FindRow(const AccountState& state, std::string_view sort_key,
                 PageWindow& window, EntityPlace& place) {
  if (const MemRow* row = state.memtable().Find(sort_key)) {
    if (!row->entity) return Presence::kNotThere;
    place = {.in_memory = &*row->entity};
    return Presence::kThere;
  }
  return FindInPages(state.manifest(), sort_key, window, place);
}

// ------------------------------------------------------------------- scan cost

namespace {

// As measured with all pages in the cache: the filter takes as long for 800
// texts, or for 2,000 numbers, as a lookup takes.  Of pages that must be read
// first, these are one or two; a lookup reads one.
constexpr std::size_t kRowsPerLookup = 800;

// Rows of the memtable.  A scan tests them one by one, but it searches the runs
// only once.
constexpr std::size_t kMemRowsPerLookup = 32;

// About how many rows the run has in the range.  Nothing if a directory page is
// missing; the window keeps those that are there.
std::optional<std::uint64_t> CountRows(const Run& run, const SortRange& range,
                                       PageWindow& window, WorkBudget& work) {
  const std::vector<PageEntry>& all = run.directories;
  const std::string_view from = std::max(range.begin, run.begin);
  if (all.empty() || from > run.end) return 0;
  std::uint64_t rows = 0;
  bool is_missing = false;
  for (std::size_t i = FindPageEntry(all, from);
       i < all.size() && all[i].first_key < range.end; ++i) {
    const DirectoryPage* directory = window.Directory(all[i]);
    if (directory == nullptr) {
      is_missing = true;
      continue;
    }
    const std::vector<PageEntry>& leaves = directory->leaves;
    const std::size_t last = FindPageEntry(leaves, range.end);
    work.SpendParts(leaves.size());
    for (std::size_t leaf = FindPageEntry(leaves, from); leaf <= last; ++leaf) {
      rows += leaves[leaf].totals.rows;
    }
  }
  if (is_missing) return std::nullopt;
  return rows;
}

std::size_t CountMemRows(const Memtable::Rows& rows, const SortRange& range,
                         std::size_t most) {
  std::size_t count = 0;
  for (auto row = rows.lower_bound(range.begin);
       count < most && row != rows.end() && row->first < range.end; ++row) {
    ++count;
  }
  return count;
}

}  // namespace

std::optional<std::size_t> LookupsThatCostAScan(
    const AccountState& state, const std::vector<SortRange>& ranges,
    std::size_t most, PageWindow& window, WorkBudget& work) {
  std::uint64_t rows = 0;
  std::size_t mem_rows = 0;
  bool is_missing = false;
  for (const SortRange& range : ranges) {
    for (const Run& run : state.manifest().runs) {
      const auto counted = CountRows(run, range, window, work);
      is_missing |= !counted;
      rows += counted.value_or(0);
    }
    mem_rows +=
        CountMemRows(state.memtable().rows(), range, most * kMemRowsPerLookup);
  }
  work.SpendParts(mem_rows * kPartsPerKeyOrder);
  if (is_missing) return std::nullopt;
  const std::uint64_t lookups =
      rows / kRowsPerLookup + mem_rows / kMemRowsPerLookup;
  return static_cast<std::size_t>(std::min<std::uint64_t>(lookups, most));
}

}  // namespace entitable
