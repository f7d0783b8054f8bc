#include "read/first_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "support/random.h"

namespace entitable {
namespace {

using Rows = std::vector<std::string>;

constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

// Three digits, in a random order.
Rows SomeRows() {
  Rows rows;
  for (int i = 100; i < 400; ++i) rows.push_back(std::to_string(i));
  std::ranges::shuffle(rows, std::mt19937_64(TestSeed()));
  return rows;
}

FirstRows Filled(const Rows& rows, std::size_t most_rows,
                 std::size_t most_bytes) {
  FirstRows first(most_rows, most_bytes);
  WorkBudget work;
  for (const std::string& row : rows) first.Add(row, work);
  work.Refill(1'000'000);
  EXPECT_TRUE(first.Sort(work));
  return first;
}

Rows Taken(FirstRows& first) {
  Rows rows;
  for (; !first.is_empty(); first.Drop(1)) rows.emplace_back(first.front());
  return rows;
}

TEST(FirstRowsTest, KeepsThoseThatComeFirst) {
  Rows rows = SomeRows();
  Rows expected = rows;
  std::ranges::sort(expected);
  FirstRows all = Filled(rows, kNoLimit, kNoLimit);
  EXPECT_FALSE(all.lacks_rows());
  EXPECT_EQ(Taken(all), expected);
  FirstRows exactly = Filled(rows, rows.size(), kNoLimit);
  EXPECT_FALSE(exactly.lacks_rows());
  EXPECT_EQ(Taken(exactly), expected);
  FirstRows ten = Filled(rows, 10, kNoLimit);
  EXPECT_TRUE(ten.lacks_rows());
  expected.resize(10);
  EXPECT_EQ(Taken(ten), expected);
}

TEST(FirstRowsTest, KeepsFewerRowsThanAllowedIfTheyTakeTooMuch) {
  Rows rows = SomeRows();
  FirstRows some = Filled(rows, kNoLimit, 4'000);
  std::ranges::sort(rows);
  EXPECT_TRUE(some.lacks_rows());
  const Rows kept = Taken(some);
  EXPECT_GT(kept.size(), 40U);
  EXPECT_LT(kept.size(), 200U);
  rows.resize(kept.size());
  EXPECT_EQ(kept, rows);

  FirstRows one = Filled(rows, kNoLimit, 1);
  EXPECT_EQ(Taken(one), Rows{"100"});
}

TEST(FirstRowsTest, KnowsTheLastRowOnceOthersComeTooLate) {
  WorkBudget work;
  FirstRows rows(2, kNoLimit);
  rows.Add("c", work);
  EXPECT_EQ(rows.last(), std::nullopt);
  rows.Add("a", work);
  ASSERT_TRUE(rows.last());
  EXPECT_EQ(*rows.last(), "c");
  rows.Add("b", work);
  EXPECT_EQ(*rows.last(), "b");
  rows.Add("d", work);
  EXPECT_EQ(*rows.last(), "b");
}

TEST(FirstRowsTest, SortsInSlices) {
  FirstRows rows;
  WorkBudget work;
  for (const std::string& row : SomeRows()) rows.Add(row, work);
  int slices = 0;
  do {
    work.Refill(10);
    ++slices;
  } while (!rows.Sort(work));

  EXPECT_GT(slices, 20);
  const Rows sorted = Taken(rows);
  EXPECT_EQ(sorted.size(), 300U);
  EXPECT_TRUE(std::ranges::is_sorted(sorted));
}

}  // namespace
}  // namespace entitable
