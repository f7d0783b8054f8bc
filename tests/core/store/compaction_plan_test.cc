#include "store/compaction_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "store/sort_key.h"

namespace entitable {
namespace {

Run RunOf(std::uint64_t rows, CompactionRole role = CompactionRole::kNone) {
  PageEntry entry{.first_key = MakeSortKey(2, {"p", "r"}), .page = 1};
  entry.totals = {.rows = rows, .bytes = rows * 100};
  return {.role = role, .directories = {std::move(entry)}};
}

Manifest ManifestOf(std::vector<Run> runs) { return {.runs = std::move(runs)}; }

TEST(CompactionPlanTest, IsUrgentWhenAFifthIsNewerThanTheOldest) {
  EXPECT_FALSE(IsCompactionUrgent(ManifestOf({RunOf(180), RunOf(1000)})));
  EXPECT_TRUE(IsCompactionUrgent(ManifestOf({RunOf(200), RunOf(1000)})));
  EXPECT_TRUE(
      IsCompactionUrgent(ManifestOf({RunOf(100), RunOf(100), RunOf(1000)})));
  EXPECT_FALSE(IsCompactionUrgent(ManifestOf({RunOf(1000)})));
  EXPECT_FALSE(IsCompactionUrgent(Manifest{}));
}

// Such a compaction takes one step, and then waits until there is more to
// compact.
TEST(CompactionPlanTest, CountsWhatWasCompactedToTheOldest) {
  const auto under_way = [](std::uint64_t newer, std::uint64_t left,
                            std::uint64_t written) {
    return ManifestOf({RunOf(newer, CompactionRole::kInput),
                       RunOf(left, CompactionRole::kInput),
                       RunOf(written, CompactionRole::kOutput)});
  };

  EXPECT_TRUE(IsCompactionUrgent(under_way(200, 900, 100)));
  EXPECT_FALSE(IsCompactionUrgent(under_way(190, 900, 110)));
}

TEST(CompactionPlanTest, IsUrgentWhenReadsLookIntoTooManyRuns) {
  std::vector<entitable::Run> runs(5, RunOf(1));
  runs.push_back(RunOf(1000));
  EXPECT_FALSE(IsCompactionUrgent(ManifestOf(runs)));

  runs.push_back(RunOf(1000));

  EXPECT_TRUE(IsCompactionUrgent(ManifestOf(runs)));
}

TEST(CompactionPlanTest, IsUrgentWhenMuchWasDropped) {
  Manifest manifest = ManifestOf({RunOf(1000)});
  manifest.dropped = {1};
  EXPECT_FALSE(IsCompactionUrgent(manifest));

  manifest.dropped = {2};
  EXPECT_TRUE(IsCompactionUrgent(manifest));

  // Tables without rows that the manifest lists.
  manifest.dropped.assign(129, 1);
  EXPECT_TRUE(IsCompactionUrgent(manifest));
}

}  // namespace
}  // namespace entitable
