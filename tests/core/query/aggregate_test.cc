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
      {"distinct A,quantile A 0.95, histogram A 20,histogram A -1 0 1.5e3",
       {{AggregateKind::kDistinct, "A"},
        {AggregateKind::kQuantile, "A", {0.95}},
        {AggregateKind::kHistogram, "A", {20}},
        {AggregateKind::kHistogram, "A", {-1, 0, 1500}}}},
      {"quantile A 0,quantile A 1,histogram A 1,histogram A 1000",
       {{AggregateKind::kQuantile, "A", {0}},
        {AggregateKind::kQuantile, "A", {1}},
        {AggregateKind::kHistogram, "A", {1}},
        {AggregateKind::kHistogram, "A", {1000}}}},
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
  std::string bounds = "histogram A";
  for (int i = 0; i <= 1'000; ++i) bounds += ' ' + std::to_string(i);
  EXPECT_TRUE(ParseAggregates(bounds).has_value());
  std::string many = "count";
  for (int i = 1; i < 64; ++i) many += ",count";
  EXPECT_TRUE(ParseAggregates(many).has_value());
  for (const std::string& text : {std::string(","),
                                  std::string("count,"),
                                  std::string("sum"),
                                  std::string("SUM A"),
                                  std::string("median A"),
                                  std::string("sum A B"),
                                  std::string("count A B"),
                                  std::string("sum A.B"),
                                  many + ",count",
                                  bounds + " 1001",
                                  std::string("distinct"),
                                  std::string("sum A 1"),
                                  std::string("count A 1"),
                                  std::string("quantile A"),
                                  std::string("quantile A 1.1"),
                                  std::string("quantile A -0.1"),
                                  std::string("quantile A NaN"),
                                  std::string("quantile A 0.1 0.2"),
                                  std::string("quantile 0.5"),
                                  std::string("histogram A"),
                                  std::string("histogram A 0"),
                                  std::string("histogram A 1001"),
                                  std::string("histogram A 1.5"),
                                  std::string("histogram A 1 1"),
                                  std::string("histogram A 2 1"),
                                  std::string("histogram A 1 2 x")}) {
    SCOPED_TRACE(text);
    const auto read = ParseAggregates(text);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace entitable
