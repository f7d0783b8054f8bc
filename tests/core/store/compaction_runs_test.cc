#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "store/compaction_plan.h"
#include "store/envelope.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

std::string KeyOf(const std::string& row_key) {
  return MakeSortKey(2, {"p", row_key});
}

// Directory pages that begin with these rows.  Their pages have the numbers
// from `page` on.
Run RunOf(const std::vector<std::string>& row_keys, PageId page) {
  Run run;
  for (const std::string& row_key : row_keys) {
    PageEntry entry{.first_key = KeyOf(row_key), .page = page++};
    entry.totals = {.rows = 10, .bytes = 1000};
    run.directories.push_back(std::move(entry));
    run.end = KeyOf(row_key + "z");
  }
  return run;
}

// The newer run has more than a sixth of the older one.
Manifest TwoRuns() {
  return {.dropped = {7, 8},
          .runs = {RunOf({"b", "m"}, 10), RunOf({"a", "n"}, 20)}};
}

TEST(CompactionRunsTest, GivesRunsTheirRolesOnce) {
  Manifest manifest = TwoRuns();

  const CompactionRuns begun = FindOrBeginCompaction(manifest, false);
  const Manifest after = manifest;
  const CompactionRuns found = FindOrBeginCompaction(manifest, false);

  EXPECT_EQ(begun.first, 0u);
  EXPECT_EQ(begun.output, 2u);
  EXPECT_EQ(found.first, begun.first);
  EXPECT_EQ(found.output, begun.output);
  EXPECT_EQ(manifest, after);
  for (const entitable::Run& input : found.InputsIn(manifest)) {
    EXPECT_EQ(input.role, CompactionRole::kInput);
  }
  EXPECT_EQ(found.OutputIn(manifest).role, CompactionRole::kOutput);
  EXPECT_EQ(found.OutputIn(manifest).end, KeyOf("nz"));
  EXPECT_EQ(manifest.pending_drops, 2u);
}

TEST(CompactionRunsTest, DeletesDirectoriesThatTheOutputHas) {
  entitable::Run input = RunOf({"b", "m", "t"}, 10);
  const std::string next_key = KeyOf("n");
  Batch batch;

  ConsumeInput(input, &next_key, batch);

  EXPECT_EQ(input.begin, next_key);
  EXPECT_EQ(batch.deletes, (std::vector<ValueKey>{ValueKey::Page(10)}));
  ASSERT_EQ(input.directories.size(), 2u);
  EXPECT_EQ(input.directories.front().page, 11u);

  ConsumeInput(input, nullptr, batch);

  EXPECT_TRUE(input.directories.empty());
  EXPECT_EQ(batch.deletes.size(), 3u);
}

TEST(CompactionRunsTest, LeavesTheOutputAlone) {
  Manifest manifest = TwoRuns();
  const CompactionRuns runs = FindOrBeginCompaction(manifest, false);
  manifest.dropped.push_back(9);  // Since the compaction began.
  runs.OutputIn(manifest).directories = RunOf({"a"}, 30).directories;
  Batch batch;

  EndCompaction(runs, manifest, batch);

  ASSERT_EQ(manifest.runs.size(), 1u);
  EXPECT_EQ(manifest.runs.front().role, CompactionRole::kNone);
  EXPECT_EQ(manifest.runs.front().directories.front().page, 30u);
  EXPECT_EQ(manifest.dropped, (std::vector<TableId>{9}));
  EXPECT_EQ(manifest.pending_drops, 0u);
  EXPECT_EQ(batch.deletes.size(), 4u);
}

TEST(CompactionRunsTest, LeavesNothingIfTheOutputIsEmpty) {
  Manifest manifest = TwoRuns();
  const CompactionRuns runs = FindOrBeginCompaction(manifest, false);
  Batch batch;

  EndCompaction(runs, manifest, batch);

  EXPECT_TRUE(manifest.runs.empty());
  EXPECT_TRUE(manifest.dropped.empty());
}

}  // namespace
}  // namespace entitable
