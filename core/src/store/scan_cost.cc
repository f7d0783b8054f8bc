#include "store/scan_cost.h"

#include <algorithm>
#include <string_view>

#include "store/directory_page.h"

namespace entitable {
namespace {

// As measured, a lookup takes as long as the filter takes for 7 pages in the
// cache.  If no page is in the cache, it takes as long as for one: to read the
// page takes longest.  4 is between these.
constexpr std::size_t kPagesPerLookup = 4;

// Rows of the memtable.  A scan tests them one by one, but it searches the runs
// only once.
constexpr std::size_t kMemRowsPerLookup = 32;

// About how many pages of the run have rows in the range.  Nothing if a
// directory page is missing; the window keeps those that are there.
std::optional<std::size_t> CountPages(const Run& run, const SortRange& range,
                                      PageWindow& window) {
  const std::vector<PageEntry>& all = run.directories;
  const std::string_view from = std::max(range.begin, run.begin);
  if (all.empty() || from > run.end) return 0;
  std::size_t pages = 0;
  bool is_missing = false;
  for (std::size_t i = FindPageEntry(all, from);
       i < all.size() && all[i].first_key < range.end; ++i) {
    if (const DirectoryPage* directory = window.Directory(all[i])) {
      const std::vector<PageEntry>& leaves = directory->leaves;
      pages +=
          1 + FindPageEntry(leaves, range.end) - FindPageEntry(leaves, from);
    } else {
      is_missing = true;
    }
  }
  if (is_missing) return std::nullopt;
  return pages;
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
    std::size_t most, PageWindow& window) {
  std::size_t pages = 0;
  std::size_t rows = 0;
  bool is_missing = false;
  for (const SortRange& range : ranges) {
    for (const Run& run : state.manifest().runs) {
      const auto counted = CountPages(run, range, window);
      is_missing |= !counted;
      pages += counted.value_or(0);
    }
    rows +=
        CountMemRows(state.memtable().rows(), range, most * kMemRowsPerLookup);
  }
  if (is_missing) return std::nullopt;
  return std::min(pages / kPagesPerLookup + rows / kMemRowsPerLookup, most);
}

}  // namespace entitable
