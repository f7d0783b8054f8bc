#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "query/parser.h"
#include "query/planner.h"
#include "read/index/index_lookup.h"

namespace entitable {
namespace {

AccessPath PathOf(std::string_view text) {
  const auto filter = ParseFilter(text);
  EXPECT_TRUE(filter.has_value()) << text;
  return filter ? ClassifyAccess(PlanRanges(*filter)) : AccessPath::kNothing;
}

TEST(AccessPathTest, NamesThePathThatAPlanTakes) {
  const struct {
    std::string text;
    AccessPath path;
  } kCases[] = {
      {"PartitionKey eq 'p' and RowKey eq 'r'", AccessPath::kPoint},
      {"PartitionKey eq '' and RowKey eq ''", AccessPath::kPoint},
      {"PartitionKey eq 'p' and (RowKey eq 'r' or RowKey eq 's')",
       AccessPath::kPoint},
      {"PartitionKey eq 'p' and RowKey ge 'r'", AccessPath::kRowRange},
      {"PartitionKey eq 'p' and RowKey lt 'r'", AccessPath::kRowRange},
      {"PartitionKey eq '' and RowKey lt 'r'", AccessPath::kRowRange},
      {"PartitionKey eq 'p'", AccessPath::kPartitionScan},
      {"PartitionKey eq ''", AccessPath::kPartitionScan},
      {"PartitionKey eq 'p' and not B", AccessPath::kPartitionScan},
      {"PartitionKey eq 'p' and RowKey ge ''", AccessPath::kPartitionScan},
      {"PartitionKey eq 'p' or PartitionKey eq 'q' and RowKey eq 'r'",
       AccessPath::kPartitionScan},
      {"PartitionKey ge 'a' and PartitionKey lt 'b'",
       AccessPath::kPartitionRange},
      {"PartitionKey gt 'a'", AccessPath::kPartitionRange},
      {"PartitionKey le 'a'", AccessPath::kPartitionRange},
      {"", AccessPath::kTableScan},
      {"S eq 'x'", AccessPath::kTableScan},
      {"RowKey eq 'r'", AccessPath::kTableScan},
      {"PartitionKey ne 'p'", AccessPath::kTableScan},
  };
  for (const auto& [text, path] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(AccessPathName(PathOf(text)), AccessPathName(path));
  }
}

TEST(AccessPathTest, IsNothingWithoutRanges) {
  EXPECT_EQ(AccessPathName(ClassifyAccess({})), "nothing");
}

}  // namespace
}  // namespace entitable
