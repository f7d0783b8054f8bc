#include "store/merge_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "store/sort_key.h"

namespace entitable {
namespace {

Run RunOf(std::uint64_t rows, MergeRole role = MergeRole::kNone) {
  PageEntry entry{.first_key = MakeSortKey(2, {"p", "r"}), .page = 1};
  entry.totals = {.rows = rows, .bytes = rows * 100};
  return {.role = role, .directories = {std::move(entry)}};
}

Root RootOf(std::vector<Run> runs) { return {.runs = std::move(runs)}; }

TEST(MergePlanTest, PressesWhenAFifthIsNewerThanTheOldest) {
  EXPECT_FALSE(IsMergePressing(RootOf({RunOf(180), RunOf(1000)})));
  EXPECT_TRUE(IsMergePressing(RootOf({RunOf(200), RunOf(1000)})));
  EXPECT_TRUE(IsMergePressing(RootOf({RunOf(100), RunOf(100), RunOf(1000)})));
  EXPECT_FALSE(IsMergePressing(RootOf({RunOf(1000)})));
  EXPECT_FALSE(IsMergePressing(Root{}));
}

// Such a merge takes a step, and then waits until there is more to merge.
TEST(MergePlanTest, CountsWhatWasMergedToTheOldest) {
  const auto under_way = [](std::uint64_t newer, std::uint64_t left,
                            std::uint64_t written) {
    return RootOf({RunOf(newer, MergeRole::kSource),
                   RunOf(left, MergeRole::kSource),
                   RunOf(written, MergeRole::kOutput)});
  };

  EXPECT_TRUE(IsMergePressing(under_way(200, 900, 100)));
  EXPECT_FALSE(IsMergePressing(under_way(190, 900, 110)));
}

TEST(MergePlanTest, PressesWhenReadsLookIntoTooManyRuns) {
  std::vector<entitable::Run> runs(5, RunOf(1));
  runs.push_back(RunOf(1000));
  EXPECT_FALSE(IsMergePressing(RootOf(runs)));

  runs.push_back(RunOf(1000));

  EXPECT_TRUE(IsMergePressing(RootOf(runs)));
}

TEST(MergePlanTest, PressesWhenMuchWasDropped) {
  Root root = RootOf({RunOf(1000)});
  root.dropped = {1};
  EXPECT_FALSE(IsMergePressing(root));

  root.dropped = {2};
  EXPECT_TRUE(IsMergePressing(root));

  // Tables of which nothing was stored, but which the root lists.
  root.dropped.assign(129, 1);
  EXPECT_TRUE(IsMergePressing(root));
}

}  // namespace
}  // namespace entitable
