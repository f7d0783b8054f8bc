#include "query/aggregate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace entitable {
namespace {

using Terms = std::vector<AggregateTerm>;

TEST(AggregateTest, ReadsFunctionsAndNames) {
  const struct {
    std::string text;
    Terms terms;
  } kCases[] = {
      {"", {}},
      {" ", {}},
      {"count", {{AggregateKind::kCount, ""}}},
      {"count A", {{AggregateKind::kCount, "A"}}},
      {" sum  A ,avg\tB,min A,max sum",
       {{AggregateKind::kSum, "A"},
        {AggregateKind::kAverage, "B"},
        {AggregateKind::kLeast, "A"},
        {AggregateKind::kGreatest, "sum"}}},
      {"sum A,sum A", {{AggregateKind::kSum, "A"}, {AggregateKind::kSum, "A"}}},
  };
  for (const auto& [text, terms] : kCases) {
    SCOPED_TRACE(text);
    const auto read = ParseAggregates(text);
    ASSERT_TRUE(read.has_value()) << read.error().message;
    EXPECT_EQ(*read, terms);
  }
}

TEST(AggregateTest, RefusesOtherTexts) {
  std::string many = "count";
  for (int i = 1; i < 64; ++i) many += ",count";
  EXPECT_TRUE(ParseAggregates(many).has_value());
  for (const std::string& text :
       {std::string(","), std::string("count,"), std::string("sum"),
        std::string("SUM A"), std::string("median A"), std::string("sum A B"),
        std::string("count A B"), std::string("sum A.B"), many + ",count"}) {
    SCOPED_TRACE(text);
    const auto read = ParseAggregates(text);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace entitable
