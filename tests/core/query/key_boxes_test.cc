#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "query/parser.h"
#include "query/planner.h"
#include "read/index/index_lookup.h"
#include "support/planned.h"

namespace entitable {
namespace {

// "(<name> eq '10' or <name> eq '11' or ...)" with `count` comparisons.
std::string AnyOf(const std::string& name, int count) {
  std::string text = "(" + name + " eq '10'";
  for (int i = 1; i < count; ++i) {
    text += " or " + name + " eq '" + std::to_string(10 + i) + "'";
  }
  return text + ")";
}

TEST(KeyBoxesTest, LeavesOutNothingThatAnOperatorOrTypeLetsIn) {
  for (const std::string_view text : {
           "PartitionKey ne 'p'",
           "PartitionKey ne 5",
           "PartitionKey lt 5",
           "RowKey le true",
           "not (PartitionKey eq 'p')",
           "not false",
           "not (N eq 5)",
           "Partitionkey eq 'p'",
           "B",
       }) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Planned(text), "(-inf, +inf)");
  }
}

// As many as a filter has room for.
TEST(KeyBoxesTest, PlansAPointForEachOfManyRowKeys) {
  const auto ranges =
      PlanRanges(Parsed("PartitionKey eq 'p' and " + AnyOf("RowKey", 1'606)));

  EXPECT_EQ(ranges.size(), 1'606u);
  EXPECT_EQ(ClassifyAccess(ranges), AccessPath::kPoint);
}

TEST(KeyBoxesTest, WidensTheShorterSideWhenThereAreTooManyPairs) {
  const std::string text = AnyOf("PartitionKey", 90) + " and ";

  EXPECT_EQ(PlanRanges(Parsed(text + AnyOf("RowKey", 45))).size(), 4'050u);
  const auto ranges = PlanRanges(Parsed(text + AnyOf("RowKey", 46)));
  ASSERT_EQ(ranges.size(), 90u);
  EXPECT_EQ(ToString({ranges.front()}), "['10'/'10', '10'/'55']");
}

TEST(KeyBoxesTest, EndsWithAWiderRangeWhereEachOfManyConditionsTakesPairs) {
  std::string text = AnyOf("PartitionKey", 90) + " and " + AnyOf("RowKey", 45);
  for (int i = 0; i < 1'000; ++i) text += " and RowKey gt '1'";

  const auto ranges = PlanRanges(Parsed(text));

  ASSERT_EQ(ranges.size(), 1u);
  EXPECT_EQ(ToString(ranges), "['10'/'10', '99'/'54']");
}

TEST(KeyBoxesTest, IntersectsForAndAndUnitesForOr) {
  const Filter both =
      Parsed("PartitionKey eq 'p' and RowKey gt 'a' and RowKey le 'b'");
  const Boxes boxes = BoxesOf(both);

  ASSERT_EQ(boxes.size(), 1u);
  EXPECT_TRUE(boxes[0].partition.lower == Cut{.text = "p"});
  EXPECT_TRUE(boxes[0].partition.upper == (Cut{.text = "p", .after = true}));
  EXPECT_TRUE(boxes[0].row.lower == (Cut{.text = "a", .after = true}));
  EXPECT_TRUE(boxes[0].row.upper == (Cut{.text = "b", .after = true}));
  EXPECT_EQ(BoxesOf(Parsed("RowKey eq 'a' or RowKey eq 'b'")).size(), 2u);
  EXPECT_TRUE(BoxesOf(Parsed("RowKey lt 'a' and RowKey gt 'a'")).empty());
}

}  // namespace
}  // namespace entitable
