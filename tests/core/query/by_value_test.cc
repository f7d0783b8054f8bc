#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "query/compare_op.h"

namespace entitable {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t kMost = INT64_MAX;
constexpr std::int64_t kLeast = INT64_MIN;
constexpr std::int64_t kExact = std::int64_t{1} << 53;

TEST(ByValueTest, ComparesNumbersOfDifferentTypesExactly) {
  const struct {
    Value less;
    Value more;
  } kCases[] = {
      {Value::Double(31.2), Value::Int32(32)},
      {Value::Int32(31), Value::Double(31.2)},
      {Value::Double(-31.2), Value::Int64(-31)},
      {Value::Double(static_cast<double>(kExact)), Value::Int64(kExact + 1)},
      {Value::Int64(-kExact - 1), Value::Double(static_cast<double>(-kExact))},
      {Value::Int64(kMost), Value::Double(0x1p63)},
      {Value::Int64(kMost), Value::Double(kInfinity)},
      {Value::Double(-kInfinity), Value::Int64(kLeast)},
      {Value::Int64(kLeast), Value::Int32(-5)},
      {Value::Double(-0x1.0000000000001p63), Value::Int64(kLeast)},
  };
  for (const auto& [less, more] : kCases) {
    EXPECT_TRUE(CompareByValue(CompareOp::kLessThan, less, more));
    EXPECT_TRUE(CompareByValue(CompareOp::kGreaterThan, more, less));
    EXPECT_TRUE(CompareByValue(CompareOp::kNotEqual, more, less));
    EXPECT_FALSE(CompareByValue(CompareOp::kEqual, more, less));
  }
  EXPECT_TRUE(CompareByValue(CompareOp::kEqual, Value::Int64(kLeast),
                             Value::Double(-0x1p63)));
  EXPECT_TRUE(
      CompareByValue(CompareOp::kEqual, Value::Double(5), Value::Int32(5)));
}

TEST(ByValueTest, FindsNaNEqualToNothing) {
  const Value nan = Value::Double(kNaN);
  for (const CompareOp op : kCompareOps) {
    EXPECT_EQ(CompareByValue(op, nan, Value::Int64(5)),
              op == CompareOp::kNotEqual);
    EXPECT_EQ(CompareByValue(op, Value::Int32(5), nan),
              op == CompareOp::kNotEqual);
  }
}

TEST(ByValueTest, HoldsOfNoOtherTypes) {
  for (const CompareOp op : kCompareOps) {
    EXPECT_FALSE(CompareByValue(op, Value::String("5"), Value::Int32(5)));
    EXPECT_FALSE(CompareByValue(op, Value::Boolean(true), Value::Int32(1)));
  }
}

TEST(ByValueTest, NarrowsLiteralsWithoutChangingTheirValue) {
  EXPECT_EQ(Narrowed(Value::Double(5)).type(), EdmType::kInt32);
  EXPECT_EQ(Narrowed(Value::Double(0x1p40)).type(), EdmType::kInt64);
  EXPECT_EQ(Narrowed(Value::Double(0x1p63)).type(), EdmType::kDouble);
  EXPECT_EQ(Narrowed(Value::Double(2.5)).type(), EdmType::kDouble);
  EXPECT_EQ(Narrowed(Value::Double(kNaN)).type(), EdmType::kDouble);
  EXPECT_EQ(Narrowed(Value::Int64(INT32_MIN)).type(), EdmType::kInt32);
  EXPECT_EQ(Narrowed(Value::Int64(std::int64_t{INT32_MIN} - 1)).type(),
            EdmType::kInt64);
}

}  // namespace
}  // namespace entitable
