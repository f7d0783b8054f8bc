#include "store/compaction_plan.h"

#include <cstdint>
#include <vector>

#include "store/compaction.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

// More dropped tables than this are cleared away however small they are.
constexpr std::size_t kMaxDropped = 64;

// The limits for an urgent compaction: the number of runs and dropped tables,
// as a multiple of the usual limits, and the ratio of newer to oldest rows.
constexpr std::size_t kUrgentRunFactor = 2;
constexpr std::uint64_t kUrgentRatio = 5;

bool IsLarge(const PageTotals& part, const PageTotals& whole,
             std::uint64_t ratio = kOldestRatio) {
  return part.bytes * ratio >= whole.bytes || part.rows * ratio >= whole.rows;
}

// Whether the newer runs together are large compared to the oldest.  Rows that
// a compaction has already written or reused in its output count as the oldest
// run.
bool IsNewerLarge(const std::vector<Run>& runs, std::uint64_t ratio) {
  if (runs.empty()) return false;
  std::size_t first = runs.size() - 1;
  if (first > 0 && runs.back().role == CompactionRole::kOutput) --first;
  PageTotals newer;
  PageTotals oldest;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    (i < first ? newer : oldest) += runs[i].totals();
  }
  return first > 0 && IsLarge(newer, oldest, ratio);
}

// An upper bound for the table's share of the run.  Directory pages at the ends
// of the table count completely.
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

bool IsMuchDropped(const Manifest& manifest, std::uint64_t ratio) {
  PageTotals whole;
  PageTotals dropped;
  for (const Run& run : manifest.runs) {
    whole += run.totals();
    for (const TableId table : manifest.dropped) dropped += MostOf(table, run);
  }
  return dropped.rows > 0 && IsLarge(dropped, whole, ratio);
}

}  // namespace

std::size_t RunsToCompact(const Manifest& manifest, bool is_room_short) {
  const std::vector<Run>& runs = manifest.runs;
  if (runs.empty()) return 0;
  const bool has_garbage = runs.size() > 1 || !manifest.dropped.empty();
  if ((is_room_short && has_garbage) || IsNewerLarge(runs, kOldestRatio) ||
      manifest.dropped.size() > kMaxDropped ||
      IsMuchDropped(manifest, kOldestRatio)) {
    return runs.size();
  }

  if (runs.size() <= kMaxRuns) return 0;
  std::size_t count = 1;
  PageTotals compacted = runs.front().totals();
  do {
    compacted += runs[count++].totals();
  } while (count < runs.size() && IsLarge(compacted, runs[count].totals()));
  return count;
}

bool IsCompactionUrgent(const Manifest& manifest) {
  return manifest.runs.size() > kUrgentRunFactor * kMaxRuns ||
         manifest.dropped.size() > kUrgentRunFactor * kMaxDropped ||
         IsNewerLarge(manifest.runs, kUrgentRatio) ||
         IsMuchDropped(manifest, kUrgentRatio);
}

}  // namespace entitable
