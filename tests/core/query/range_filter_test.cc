#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/parser.h"
#include "query/planner.h"
#include "request/key_scope.h"
#include "support/naive_filter.h"

namespace entitable {
namespace {

struct RangeCase {
  std::string text;
  bool is_range;
};

// Every key of a few partitions with a few rows.
void ExpectRangesToDecide(const std::string& text, const Filter& filter) {
  const naive::Filter expected(text);
  const std::vector<KeyRange> ranges = PlanRanges(filter);
  const char* const kTexts[] = {"", "a", "a!", "b", "b\uff21", "c"};
  for (const std::string partition : kTexts) {
    for (const std::string row : kTexts) {
      bool is_within = false;
      for (const KeyRange& range : ranges) {
        is_within |= Contains(range, {partition, row});
      }
      const naive::Value::Type type = naive::Value::Type::kString;
      EXPECT_EQ(is_within,
                expected.IsTrueOf(
                    {{"PartitionKey", {.type = type, .text = partition}},
                     {"RowKey", {.type = type, .text = row}}}))
          << partition << '/' << row;
    }
  }
}

TEST(RangeFilterTest, SaysNoMoreThanItsRanges) {
  const RangeCase kCases[] = {
      {"", true},
      {"true", true},
      {"false", true},
      {"PartitionKey eq 'b'", true},
      {"'b' eq PartitionKey and RowKey eq 'a'", true},
      {"PartitionKey eq 'b' and RowKey gt 'a' and RowKey le 'b'", true},
      {"PartitionKey eq 'b' and RowKey ge 'a' and RowKey lt 'b'", true},
      {"PartitionKey ge 'b' and RowKey gt 'a' and PartitionKey le 'b'", true},
      {"PartitionKey gt 'a' and PartitionKey lt 'c'", true},
      {"PartitionKey ge 'a' and PartitionKey le 'b'", true},
      {"PartitionKey gt 'a' and true", true},
      {"PartitionKey eq 'a' and PartitionKey eq 'b'", true},
      {"PartitionKey gt 'a' and RowKey ge ''", true},
      // Rows of other partitions do not match.
      {"RowKey eq 'a'", false},
      {"PartitionKey ge 'a' and RowKey eq 'a'", false},
      {"PartitionKey ge 'a' and PartitionKey le 'b' and RowKey lt 'b'", false},
      {"PartitionKey eq 'a' and RowKey ne 'b'", false},
      {"PartitionKey ne 'a'", false},
      {"PartitionKey eq 5", false},
      {"PartitionKey eq 'a' and N gt 5", false},
      {"PartitionKey eq 'a' and N", false},
      {"not (PartitionKey eq 'a')", false},
      {"PartitionKey eq 'a' or PartitionKey eq 'b' and RowKey eq 'a'", false},
  };
  for (const auto& [text, is_range] : kCases) {
    SCOPED_TRACE(text);
    const auto filter = ParseFilter(text);
    ASSERT_TRUE(filter.has_value());

    EXPECT_EQ(IsRangeFilter(*filter), is_range);
    if (is_range) ExpectRangesToDecide(text, *filter);
  }
}

TEST(RangeFilterTest, KnowsThePrefixOfAKey) {
  const RangeCase kCases[] = {
      {"startswith(PartitionKey,'b')", true},
      {"PartitionKey eq 'b' and startswith(RowKey,'a')", true},
      {"startswith(PartitionKey,'b') and startswith(RowKey,'a')", false},
      {"contains(PartitionKey,'b')", false},
  };
  for (const auto& [text, is_range] : kCases) {
    const auto filter = ParseFilter(text, FilterDialect::kExtended);
    ASSERT_TRUE(filter.has_value()) << text;

    EXPECT_EQ(IsRangeFilter(*filter), is_range) << text;
  }
}

}  // namespace
}  // namespace entitable
