#include "store/range_set.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/random.h"
#include "support/sample_runs.h"

namespace entitable {
namespace {

RangeSet SetOf(const std::vector<SortRange>& ranges) {
  std::string bytes;
  for (const SortRange& range : ranges) AppendRange(range, bytes);
  EXPECT_TRUE(RangeSet::Check(bytes));
  return RangeSet(bytes);
}

std::string KeyOf(TableId table, const char* row_key) {
  return MakeSortKey(table, {"p", row_key});
}

TEST(RangeSetTest, HasTheRowsOfItsRanges) {
  const RangeSet set = SetOf({{KeyOf(2, "m"), KeyOf(2, "p")},
                              {KeyOf(2, "a"), KeyOf(2, "c")},
                              OneRow(3, {"p", "x"})});

  EXPECT_TRUE(set.Has(KeyOf(2, "a")));
  EXPECT_TRUE(set.Has(KeyOf(2, "bz")));
  EXPECT_FALSE(set.Has(KeyOf(2, "c")));
  EXPECT_FALSE(set.Has(KeyOf(2, "")));
  EXPECT_TRUE(set.Has(KeyOf(2, "n")));
  EXPECT_TRUE(set.Has(KeyOf(3, "x")));
  EXPECT_FALSE(set.Has(KeyOf(3, "xa")));
  EXPECT_FALSE(set.Has(KeyOf(3, "w")));
  EXPECT_FALSE(RangeSet().Has(KeyOf(2, "a")));
}

// RecentChanges tells by it that more than single rows of a table has changed.
TEST(RangeSetTest, HasATableOfWhichItHasAnyPlace) {
  const RangeSet set =
      SetOf({OneRow(2, {"p", "x"}), WholeTable(300), OneRow(4, {"p", "x"})});

  EXPECT_TRUE(set.Has(WholeTable(2).begin));
  EXPECT_TRUE(set.Has(WholeTable(300).begin));
  EXPECT_TRUE(set.Has(WholeTable(4).begin));
  EXPECT_FALSE(set.Has(WholeTable(1).begin));
  EXPECT_FALSE(set.Has(WholeTable(3).begin));
  EXPECT_FALSE(set.Has(WholeTable(301).begin));
  // The first byte of the key of a row of it is the same.
  EXPECT_FALSE(set.Has(KeyOf(300, "a").substr(0, 2)));
}

TEST(RangeSetTest, KnowsWhatRangesAre) {
  EXPECT_TRUE(RangeSet::Check(""));
  EXPECT_FALSE(RangeSet::Check("a"));
  std::string bytes;
  AppendRange({"a", "b"}, bytes);
  EXPECT_TRUE(RangeSet::Check(bytes));
  EXPECT_FALSE(RangeSet::Check(bytes + '\x05'));
  EXPECT_FALSE(RangeSet::Check(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(RangeSet::Check(bytes.substr(0, 2)));
  // A range whose end is not behind its beginning has no rows.
  EXPECT_FALSE(SetOf({{"b", "a"}}).Has("a"));
  EXPECT_FALSE(SetOf({{"b", "a"}}).Has("b"));
}

TEST(RangeSetTest, OverlapsAsOneWouldExpect) {
  SCOPED_TRACE("seed " + std::to_string(TestSeed()));
  SampleSource random(TestSeed());
  for (int round = 0; round < 300 && !HasFailure(); ++round) {
    std::vector<SortRange> ranges;
    for (std::size_t n = random.Below(8); n > 0; --n) {
      std::string a = random.NextKey();
      std::string b = random.NextKey();
      ranges.push_back({std::min(a, b), std::max(a, b)});
    }
    const RangeSet set = SetOf(ranges);
    for (int n = 0; n < 20; ++n) {
      const std::string key = random.NextKey();
      EXPECT_EQ(set.Has(key), std::ranges::any_of(ranges, [&](const auto& one) {
                  return one.begin <= key && key < one.end;
                }));
    }
  }
}

}  // namespace
}  // namespace entitable
