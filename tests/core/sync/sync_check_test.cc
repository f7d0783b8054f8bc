// Random schedules of replicas that sync with one remote; see
// support/sync_check/simulation.h.
//
// ENTITABLE_SCHEDULES: how many; 1,000 in `npm run test:all`.  To see a failure
// again:
//   ENTITABLE_SEED=<seed> ENTITABLE_SCHEDULES=1 entitable_tests
//   --gtest_filter='SyncCheck*'

#include <gtest/gtest.h>

#include "support/random.h"
#include "support/sync_check/simulation.h"

namespace entitable::sync_check {
namespace {

TEST(SyncCheckTest, RandomSchedulesBreakNoRule) {
  const std::size_t count = WantedRuns("ENTITABLE_SCHEDULES", 1'000);
  Simulation::Counts total;
  for (std::uint64_t seed = TestSeed(); seed < TestSeed() + count; ++seed) {
    Simulation simulation(seed);
    const std::string failure = simulation.Run();
    ASSERT_EQ(failure, "") << "ENTITABLE_SEED=" << seed
                           << " ENTITABLE_SCHEDULES=1";
    total.conflicts += simulation.counts().conflicts;
    total.late_effects += simulation.counts().late_effects;
    total.rejections += simulation.counts().rejections;
    total.crashes += simulation.counts().crashes;
    total.deletions += simulation.counts().deletions;
    total.late_rows += simulation.counts().late_rows;
    total.decisions += simulation.counts().decisions;
    total.refusals += simulation.counts().refusals;
    total.unsent += simulation.counts().unsent;
  }
  if (count < 1'000) return;
  EXPECT_GT(total.conflicts, 0U);
  EXPECT_GT(total.late_effects, 0U);
  EXPECT_GT(total.rejections, 0U);
  EXPECT_GT(total.crashes, 0U);
  EXPECT_GT(total.deletions, 0U);
  EXPECT_GT(total.late_rows, 0U);
  EXPECT_GT(total.decisions, 0U);
  EXPECT_GT(total.refusals, 0U);
  EXPECT_GT(total.unsent, 0U);
}

TEST(SyncCheckTest, ASeedAlwaysGivesTheSameSchedule) {
  Simulation first(TestSeed());
  Simulation second(TestSeed());
  EXPECT_EQ(first.Run(), second.Run());
  EXPECT_EQ(first.counts().conflicts, second.counts().conflicts);
  EXPECT_EQ(first.counts().late_effects, second.counts().late_effects);
}

}  // namespace
}  // namespace entitable::sync_check
