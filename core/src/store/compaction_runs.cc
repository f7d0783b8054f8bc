#include "store/compaction_runs.h"

#include <algorithm>

#include "store/compaction_plan.h"

namespace entitable {
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

}  // namespace entitable
