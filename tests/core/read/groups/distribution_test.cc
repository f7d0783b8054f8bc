#include "read/groups/distribution.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "support/random.h"

namespace entitable {
namespace {

using Numbers = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kMost = std::numeric_limits<double>::max();

TEST(DistributionTest, SortsInSlices) {
  std::mt19937_64 random(TestSeed());
  Numbers expected;
  Numbers numbers;
  for (int i = 0; i < 1'000; ++i) {
    expected.push_back(static_cast<double>(random() % 500));
    AddToHeap(expected.back(), numbers);
  }
  std::ranges::sort(expected);

  std::size_t heap_size = numbers.size();
  int slices = 1;
  WorkBudget work;
  work.Refill(5);
  for (; !SortHeap(numbers, heap_size, work); ++slices) work.Refill(5);

  EXPECT_EQ(numbers, expected) << "seed " << TestSeed();
  EXPECT_GT(slices, 10);
}

// The values of PERCENTILE_CONT in PostgreSQL, and of quantile() in numpy.
TEST(DistributionTest, InterpolatesQuantiles) {
  EXPECT_EQ(QuantileOf({}, 0.5), std::nullopt);
  EXPECT_EQ(QuantileOf(Numbers{7}, 0.3), 7);
  const Numbers four = {1, 2, 4, 8};
  EXPECT_EQ(QuantileOf(four, 0), 1);
  EXPECT_EQ(QuantileOf(four, 0.25), 1.75);
  EXPECT_EQ(QuantileOf(four, 0.5), 3);
  EXPECT_EQ(QuantileOf(four, 0.75), 5);
  EXPECT_EQ(QuantileOf(four, 1), 8);
  Numbers hundred;
  for (int i = 1; i <= 101; ++i) hundred.push_back(i);
  EXPECT_EQ(QuantileOf(hundred, 0.95), 96);
}

TEST(DistributionTest, InterpolatesExtremeNumbers) {
  EXPECT_EQ(QuantileOf(Numbers{-kMost, kMost}, 0.5), 0);
  EXPECT_EQ(QuantileOf(Numbers{1, kInfinity}, 0), 1);
  EXPECT_EQ(QuantileOf(Numbers{1, kInfinity}, 0.5), kInfinity);
  EXPECT_EQ(QuantileOf(Numbers{kInfinity, kInfinity}, 0.5), kInfinity);
  EXPECT_EQ(QuantileOf(Numbers{-kInfinity, 0}, 0.5), -kInfinity);
}

TEST(DistributionTest, FindsTheFiniteRange) {
  using Range = std::pair<double, double>;
  EXPECT_EQ(FiniteRange({}), std::nullopt);
  EXPECT_EQ(FiniteRange(Numbers{-kInfinity, kInfinity}), std::nullopt);
  EXPECT_EQ(FiniteRange(Numbers{-kInfinity, -1, 5, kInfinity}), Range(-1, 5));
  EXPECT_EQ(FiniteRange(Numbers{3}), Range(3, 3));
}

TEST(DistributionTest, MakesEqualBounds) {
  EXPECT_EQ(EqualBounds(0, 10, 4), (Numbers{0, 2.5, 5, 7.5, 10}));
  EXPECT_EQ(EqualBounds(-kMost, kMost, 2), (Numbers{-kMost, 0, kMost}));
  EXPECT_EQ(EqualBounds(3, 3, 4), (Numbers{3, 3}));
  // There are fewer numbers between them than bins.
  const double next = std::nextafter(1.0, 2.0);
  const Numbers bounds = EqualBounds(1, next, 5);
  EXPECT_EQ(bounds.size(), 6U);
  EXPECT_TRUE(std::ranges::is_sorted(bounds));
  EXPECT_EQ(bounds.back(), next);
}

TEST(DistributionTest, CountsInBins) {
  const Numbers bounds = {0, 10, 20};
  EXPECT_EQ(
      CountBins(Numbers{-kInfinity, -1, 0, 9.9, 10, 20, 20, 20.1}, bounds),
      (Numbers{2, 2, 3, 1}));
  EXPECT_EQ(CountBins({}, bounds), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(CountBins(Numbers{3, 3}, Numbers{3, 3}), (Numbers{0, 2, 0}));
  EXPECT_EQ(CountBins(Numbers{-kInfinity, kInfinity, kInfinity}, {}),
            (Numbers{1, 2}));
}

TEST(DistributionTest, FindsTheBinThatCountsANumber) {
  for (const Numbers& bounds :
       {Numbers{0, 10, 20}, Numbers{3, 3}, Numbers{1, 1, 2, 2}}) {
    for (const double number : {-kInfinity, -1.0, 0.0, 1.0, 1.5, 2.0, 3.0, 9.0,
                                10.0, 20.0, 21.0, kInfinity}) {
      const Numbers counts = CountBins(Numbers{number}, bounds);
      EXPECT_EQ(counts[BinOf(number, bounds)], 1) << number;
    }
  }
}

}  // namespace
}  // namespace entitable
