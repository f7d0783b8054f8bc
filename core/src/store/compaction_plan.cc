// How far a compaction is shows in the manifest alone, so any engine can take
// the next step.  Of runs A to D, the newest first, A and B are compacted:
//
//   before         A                B                           C   D
//   after a step   A, from k        B, from k   output, to k    C   D
//                  input            input       output
//   at the end                                  output          C   D
//
// A step moves `begin` of each input to its next key, and deletes the pages
// before it, except those that the output reuses, in the same batch.  So each
// key is in the inputs or in the output, never in both and never in neither.
// The inputs are neighbours, and the output is directly behind them.  A flush
// may put new runs in front of A meanwhile, so inputs are found by their role
// and not by their place.
//
// Rows of a dropped table need no tombstones: its id is in no row of the
// catalogue and is not given again, so nobody asks for them.  The id leaves the
// list of the manifest when a compaction of all runs ends that began after the
// table was dropped, because no page has rows of it then.

#include "store/compaction_plan.h"

#include <algorithm>
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

// ------------------------------------------------------------- compaction runs

namespace {

void GiveRoles(Manifest& manifest, bool is_room_short) {
  std::vector<Run>& runs = manifest.runs;
  const std::size_t count = RunsToCompact(manifest, is_room_short);
  for (std::size_t i = 0; i < count; ++i) {
    runs[i].role = CompactionRole::kInput;
  }
  if (count == runs.size()) manifest.pending_drops = manifest.dropped.size();
}

void DeletePage(const PageEntry& entry, Batch& batch) {
  batch.deletes.push_back(ValueKey::Page(entry.page));
}

}  // namespace

std::span<Run> CompactionRuns::InputsIn(Manifest& manifest) const {
  return std::span(manifest.runs).subspan(first, output - first);
}

CompactionRuns FindOrBeginCompaction(Manifest& manifest, bool is_room_short) {
  std::vector<Run>& runs = manifest.runs;
  const auto source =
      std::ranges::find(runs, CompactionRole::kInput, &Run::role);
  CompactionRuns found{};
  if (source == runs.end()) {
    GiveRoles(manifest, is_room_short);
    found.first = 0;  // The inputs of a new compaction are the newest runs.
  } else {
    found.first = static_cast<std::size_t>(source - runs.begin());
  }
  found.output = found.first;
  while (found.output < runs.size() &&
         runs[found.output].role == CompactionRole::kInput) {
    ++found.output;
  }
  if (found.output == runs.size() ||
      runs[found.output].role != CompactionRole::kOutput) {
    runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(found.output),
                {.role = CompactionRole::kOutput});
  }
  Run& output = found.OutputIn(manifest);
  for (const Run& input : found.InputsIn(manifest)) {
    output.end = std::max(output.end, input.end);
  }
  return found;
}

void ConsumeInput(Run& input, const std::string* next_key, Batch& batch) {
  std::vector<PageEntry>& directories = input.directories;
  std::size_t passed = directories.size();
  if (next_key != nullptr && !directories.empty()) {
    input.begin = *next_key;
    passed = FindPageEntry(directories, *next_key);
  }
  for (std::size_t i = 0; i < passed; ++i) DeletePage(directories[i], batch);
  directories.erase(directories.begin(),
                    directories.begin() + static_cast<std::ptrdiff_t>(passed));
}

void EndCompaction(CompactionRuns runs, Manifest& manifest, Batch& batch) {
  for (const Run& input : runs.InputsIn(manifest)) {
    for (const PageEntry& entry : input.directories) DeletePage(entry, batch);
  }
  Run& output = runs.OutputIn(manifest);
  output.role = CompactionRole::kNone;
  const bool is_empty = output.directories.empty();
  const auto begin = manifest.runs.begin();
  manifest.runs.erase(
      begin + static_cast<std::ptrdiff_t>(runs.first),
      begin + static_cast<std::ptrdiff_t>(runs.output + (is_empty ? 1 : 0)));
  manifest.dropped.erase(
      manifest.dropped.begin(),
      manifest.dropped.begin() +
          static_cast<std::ptrdiff_t>(manifest.pending_drops));
  manifest.pending_drops = 0;
  ForgetDroppedWithoutRuns(manifest);
}

// ------------------------------------------------------------------ run cursor

bool RunCursor::Resolve(PageWindow& window) {
  while (!is_resolved_) {
    if (!pages_.Resolve(window)) return false;
    if (pages_.at_end()) break;
    const PageEntry& entry = pages_.entry();
    if (leaf_ == nullptr && pages_.from() <= entry.first_key) {
      is_resolved_ = true;
      break;
    }
    if (leaf_ == nullptr) {
      leaf_ = pages_.Load(window);
      if (leaf_ == nullptr) return false;
      row_ = leaf_->LowerBound(pages_.from());
    }
    if (row_ >= leaf_->row_count()) {
      SkipPage(window);
      continue;
    }
    is_resolved_ = true;
  }
  return true;
}

bool RunCursor::Load(PageWindow& window, std::size_t ahead_bytes) {
  if (leaf_ != nullptr) return true;
  leaf_ = pages_.Load(window);
  if (leaf_ != nullptr) return true;
  for (const PageEntry& entry : pages_.following()) {
    if (entry.totals.bytes > ahead_bytes) break;
    ahead_bytes -= static_cast<std::size_t>(entry.totals.bytes);
    window.Want(entry.page);
  }
  return false;
}

void RunCursor::Next(PageWindow& window) {
  if (++row_ == leaf_->row_count()) return SkipPage(window);
  is_resolved_ = false;
}

void RunCursor::SkipPage(PageWindow& window) {
  pages_.Next(window);
  leaf_ = nullptr;
  key_.Forget();
  row_ = 0;
  is_resolved_ = false;
}

}  // namespace entitable
