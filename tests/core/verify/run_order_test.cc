// The order of runs: verify/page_verifier.h.

#include <gtest/gtest.h>

#include <vector>

#include "verify/page_verifier.h"

namespace entitable {
namespace {

using Order = std::vector<std::size_t>;

RowVersion Version(std::size_t run, std::uint64_t key, std::int64_t time) {
  return {key, DateTime{time}, run};
}

TEST(RunOrderTest, PutsTheRunWithTheNewestRowFirst) {
  EXPECT_EQ(
      OrderRuns(3, {Version(0, 1, 10), Version(1, 2, 30), Version(2, 3, 20)}),
      (Order{1, 2, 0}));
}

TEST(RunOrderTest, LeavesRunsThatAreEquallyNewAsTheyCame) {
  EXPECT_EQ(
      OrderRuns(3, {Version(0, 1, 10), Version(1, 2, 10), Version(2, 3, 10)}),
      (Order{0, 1, 2}));
  EXPECT_EQ(OrderRuns(2, {}), (Order{0, 1}));
}

// Rows from before a bulk load were flushed after it.
TEST(RunOrderTest, GoesByTheRowsThatTwoRunsHaveInCommon) {
  EXPECT_EQ(
      OrderRuns(2, {Version(0, 1, 10), Version(0, 2, 40), Version(1, 1, 20)}),
      (Order{1, 0}));
}

TEST(RunOrderTest, FollowsAChainOfThem) {
  EXPECT_EQ(
      OrderRuns(3, {Version(0, 1, 10), Version(0, 9, 90), Version(1, 1, 20),
                    Version(1, 2, 20), Version(2, 2, 30)}),
      (Order{2, 1, 0}));
}

TEST(RunOrderTest, KnowsEveryPairOfManyWithOneKey) {
  EXPECT_EQ(OrderRuns(3, {Version(0, 1, 5), Version(0, 9, 90), Version(1, 1, 9),
                          Version(2, 1, 9)}),
            (Order{1, 2, 0}));
}

TEST(RunOrderTest, EndsWhereRunsAreNewerThanOneAnotherInACircle) {
  EXPECT_EQ(OrderRuns(2, {Version(0, 1, 10), Version(0, 2, 40),
                          Version(1, 1, 20), Version(1, 2, 30)})
                .size(),
            2U);
}

}  // namespace
}  // namespace entitable
