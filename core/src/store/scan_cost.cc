#include "store/scan_cost.h"

#include <algorithm>
#include <string_view>

#include "store/directory_page.h"

namespace entitable {
namespace {

// A scan tests rows in memory one by one.
constexpr std::size_t kRowsInMemoryPerLookup = 16;

// How many of the pages can have rows in the range.
std::size_t CountPages(const std::vector<PageEntry>& entries,
                       std::string_view from, std::string_view end) {
  const auto behind =
      std::ranges::lower_bound(entries, end, {}, &PageEntry::first_key);
  const auto count = static_cast<std::size_t>(behind - entries.begin());
  return count - std::min(count, FindPageEntry(entries, from));
}

}  // namespace

std::optional<std::size_t> ScanInLookups(const AccountState& state,
                                         const std::vector<SortRange>& ranges,
                                         std::size_t most, PageWindow& window) {
  std::size_t lookups = state.memtable().rows().size() / kRowsInMemoryPerLookup;
  bool is_missing = false;
  for (const SortRange& range : ranges) {
    for (const Run& run : state.manifest().runs) {
      const std::vector<PageEntry>& all = run.directories;
      const std::string_view from = std::max(range.begin, run.begin);
      if (all.empty() || from > run.end) continue;
      for (std::size_t i = FindPageEntry(all, from);
           i < all.size() && all[i].first_key < range.end; ++i) {
        if (lookups >= most) return most;
        // Stays until all are there.
        const DirectoryPage* directory = window.Directory(all[i]);
        if (directory == nullptr) {
          is_missing = true;
        } else {
          lookups += CountPages(directory->leaves, from, range.end);
        }
      }
    }
  }
  if (is_missing) return std::nullopt;
  return std::min(lookups, most);
}

}  // namespace entitable
