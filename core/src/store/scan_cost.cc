#include "store/scan_cost.h"

#include <algorithm>
#include <string_view>

#include "store/directory_page.h"

namespace entitable {
namespace {

// A lookup takes as long as the filter takes for the columns of some 7 pages in
// memory.  But it reads one page of those that are not in memory.
constexpr std::size_t kPagesPerLookup = 4;

// A scan tests rows in memory one by one.
constexpr std::size_t kRowsInMemoryPerLookup = 32;

// How many of the pages can have rows in the range.
std::size_t CountPages(const std::vector<PageEntry>& entries,
                       std::string_view from, std::string_view end) {
  const auto behind =
      std::ranges::lower_bound(entries, end, {}, &PageEntry::first_key);
  const auto count = static_cast<std::size_t>(behind - entries.begin());
  return count - std::min(count, FindPageEntry(entries, from));
}

// Nothing if a directory page is missing.  Those that are there stay until all
// are.
std::optional<std::size_t> CountPages(const Run& run, const SortRange& range,
                                      PageWindow& window) {
  const std::vector<PageEntry>& all = run.directories;
  const std::string_view from = std::max(range.begin, run.begin);
  if (all.empty() || from > run.end) return 0;
  std::size_t pages = 0;
  bool is_missing = false;
  for (std::size_t i = FindPageEntry(all, from);
       i < all.size() && all[i].first_key < range.end; ++i) {
    const DirectoryPage* directory = window.Directory(all[i]);
    is_missing |= directory == nullptr;
    if (directory != nullptr) {
      pages += CountPages(directory->leaves, from, range.end);
    }
  }
  if (is_missing) return std::nullopt;
  return pages;
}

std::size_t CountInMemory(const Memtable::Rows& rows, const SortRange& range,
                          std::size_t most) {
  std::size_t count = 0;
  for (auto row = rows.lower_bound(range.begin);
       count < most && row != rows.end() && row->first < range.end; ++row) {
    ++count;
  }
  return count;
}

}  // namespace

std::optional<std::size_t> ScanInLookups(const AccountState& state,
                                         const std::vector<SortRange>& ranges,
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
    rows += CountInMemory(state.memtable().rows(), range,
                          most * kRowsInMemoryPerLookup);
  }
  if (is_missing) return std::nullopt;
  return std::min(pages / kPagesPerLookup + rows / kRowsInMemoryPerLookup,
                  most);
}

}  // namespace entitable
