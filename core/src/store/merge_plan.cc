#include "store/merge_plan.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "store/merge.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// So many dropped tables are cleared away however small they were.
constexpr std::size_t kMaxDropped = 64;

constexpr std::uint64_t kPressingRatio = 5;

bool IsLarge(const PageTotals& part, const PageTotals& whole,
             std::uint64_t ratio = kOldestRatio) {
  return part.bytes * ratio >= whole.bytes || part.rows * ratio >= whole.rows;
}

PageTotals NewerThanOldest(const std::vector<Run>& runs) {
  PageTotals newer;
  for (std::size_t i = 0; i + 1 < runs.size(); ++i) newer += runs[i].totals();
  return newer;
}

// At most what the table has in the run: of a directory page in which it begins
// or ends, all.
PageTotals MostOf(TableId table, const Run& run) {
  const SortRange range = WholeTable(table);
  PageTotals sum;
  for (std::size_t i = 0; i < run.directories.size(); ++i) {
    const bool ends_before = i + 1 < run.directories.size() &&
                             run.directories[i + 1].first_key <= range.begin;
    const bool begins_after = run.directories[i].first_key >= range.end;
    if (!ends_before && !begins_after) sum += run.directories[i].totals;
  }
  return sum;
}

bool IsMuchDropped(const Root& root) {
  if (root.dropped.size() > kMaxDropped) return true;
  PageTotals whole;
  PageTotals dropped;
  for (const Run& run : root.runs) {
    whole += run.totals();
    for (const TableId table : root.dropped) dropped += MostOf(table, run);
  }
  return dropped.rows > 0 && IsLarge(dropped, whole);
}

}  // namespace

std::size_t RunsToMerge(const Root& root) {
  const std::vector<Run>& runs = root.runs;
  if (runs.empty()) return 0;
  const bool is_newer_large =
      runs.size() > 1 && IsLarge(NewerThanOldest(runs), runs.back().totals());
  if (is_newer_large || IsMuchDropped(root)) return runs.size();

  if (runs.size() <= kMaxRuns) return 0;
  std::size_t count = 1;
  PageTotals merged = runs.front().totals();
  do {
    merged += runs[count++].totals();
  } while (count < runs.size() && IsLarge(merged, runs[count].totals()));
  return count;
}

bool IsMergePressing(const Root& root) {
  const std::vector<Run>& runs = root.runs;
  return runs.size() > 2 * kMaxRuns ||
         (runs.size() > 1 &&
          IsLarge(NewerThanOldest(runs), runs.back().totals(), kPressingRatio));
}

}  // namespace entitable
