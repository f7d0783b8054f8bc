#include "read/groups/accumulator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace entitable {
namespace {

using Values = std::vector<Value>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// The result as text; its type in front.
std::string ResultOf(AggregateKind kind, const Values& values) {
  const AggregateTerm term{kind, "A"};
  Accumulator accumulator(term);
  for (const Value& value : values) accumulator.Add(&value);
  PropertyList list;
  const auto done = accumulator.AppendTo(list, "a");
  if (!done) return std::string(ErrorName(done.error().code));
  const auto result = list.Find("a");
  if (!result) return "none";
  switch (result->type()) {
    case EdmType::kInt32:
      return "Int32 " + std::to_string(result->int32());
    case EdmType::kInt64:
      return "Int64 " + std::to_string(result->int64());
    case EdmType::kDouble:
      return "Double " + std::to_string(result->real());
    case EdmType::kString:
      return "String " + std::string(result->string());
    default:
      return std::string(EdmTypeName(result->type()));
  }
}

std::string Sum(const Values& values) {
  return ResultOf(AggregateKind::kSum, values);
}

TEST(AccumulatorTest, AddsIntegersExactly) {
  const Value most = Value::Int64(INT64_MAX);
  const Value least = Value::Int64(INT64_MIN);
  EXPECT_EQ(Sum({Value::Int32(2), Value::Int32(3)}), "Int32 5");
  EXPECT_EQ(Sum({Value::Int32(INT32_MAX), Value::Int32(1)}),
            "Double 2147483648.000000");
  EXPECT_EQ(Sum({Value::Int32(2), Value::Int64(3)}), "Int64 5");
  EXPECT_EQ(Sum({most}), "Int64 9223372036854775807");
  EXPECT_EQ(Sum({most, Value::Int32(1)}), "SumOverflow");
  EXPECT_EQ(Sum({least, Value::Int32(-1)}), "SumOverflow");
  EXPECT_EQ(Sum({most, most, least, least, Value::Int32(7)}), "Int64 5");
  EXPECT_EQ(Sum({least, least, most, most}), "Int64 -2");
  EXPECT_EQ(Sum(Values(10, most)), "SumOverflow");
}

TEST(AccumulatorTest, AddsDoublesWithoutLosingTheSmallOnes) {
  Values values = {Value::Double(1e16)};
  for (int i = 0; i < 1'000; ++i) values.push_back(Value::Double(0.125));
  values.push_back(Value::Double(-1e16));
  EXPECT_EQ(Sum(values), "Double 125.000000");
  EXPECT_EQ(Sum({Value::Double(1), Value::Double(1e100), Value::Double(1),
                 Value::Double(-1e100)}),
            "Double 2.000000");
  EXPECT_EQ(Sum({Value::Double(0.5), Value::Int32(2)}), "Double 2.500000");
  EXPECT_EQ(Sum({Value::Double(kInfinity), Value::Double(1)}), "Double inf");
  EXPECT_EQ(Sum({Value::Double(kNaN), Value::Int32(1)}),
            Sum({Value::Double(kNaN)}));
  EXPECT_NE(Sum({Value::Double(kNaN)}), "Double 0.000000");
}

TEST(AccumulatorTest, LeavesOutWhatIsNoNumber) {
  EXPECT_EQ(Sum({}), "none");
  EXPECT_EQ(Sum({Value::String("5"), Value::Boolean(true)}), "none");
  EXPECT_EQ(Sum({Value::String("5"), Value::Int32(2)}), "Int32 2");
  EXPECT_EQ(ResultOf(AggregateKind::kAverage, {Value::String("5")}), "none");
  EXPECT_EQ(ResultOf(AggregateKind::kCount, {Value::String("5")}), "Int32 1");
  EXPECT_EQ(ResultOf(AggregateKind::kCount, {}), "Int32 0");
}

TEST(AccumulatorTest, DividesTheSumByTheCount) {
  const auto average = [](const Values& values) {
    return ResultOf(AggregateKind::kAverage, values);
  };
  EXPECT_EQ(average({Value::Int32(1), Value::Int32(2), Value::String("x")}),
            "Double 1.500000");
  EXPECT_EQ(average({Value::Int64(INT64_MAX), Value::Int64(INT64_MAX)}),
            "Double 9223372036854775808.000000");
  EXPECT_EQ(average({Value::Int64(-3), Value::Double(0)}), "Double -1.500000");
}

TEST(AccumulatorTest, FindsTheBoundsOfAllTypes) {
  const Values values = {Value::String("b"), Value::Double(kNaN),
                         Value::Int64(7), Value::Double(6.5),
                         Value::String("a")};
  EXPECT_EQ(ResultOf(AggregateKind::kLeast, values), "Double 6.500000");
  EXPECT_EQ(ResultOf(AggregateKind::kGreatest, values), "String b");
  EXPECT_EQ(ResultOf(AggregateKind::kLeast, {Value::Double(kNaN)}), "none");
  EXPECT_EQ(ResultOf(AggregateKind::kGreatest, {}), "none");
}

}  // namespace
}  // namespace entitable
