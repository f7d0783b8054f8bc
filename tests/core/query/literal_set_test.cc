#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "query/evaluator.h"
#include "query/literal.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(LiteralSetTest, HasWhatIsEqualToALiteral) {
  const LiteralSet set({Value::String("b"), Value::Int32(5), Value::Int64(7),
                        Value::Double(kNaN), Value::String("a"),
                        Value::Double(0.0), Value::Boolean(true),
                        Value::Binary("a"), Value::String("b")});

  for (const Value& value :
       {Value::String("a"), Value::String("b"), Value::Int32(5),
        Value::Int64(5), Value::Int64(7), Value::Double(5), Value::Double(7),
        Value::Double(-0.0), Value::Boolean(true), Value::Binary("a")}) {
    EXPECT_TRUE(set.Has(value)) << EdmTypeName(value.type());
  }
  for (const Value& value :
       {Value::String(""), Value::String("ab"), Value::String("c"),
        Value::Int32(7), Value::Int32(0), Value::Int64(6), Value::Double(kNaN),
        Value::Double(1), Value::Boolean(false), Value::Binary("b"),
        Value::OfGuid({}), Value::OfDateTime({5})}) {
    EXPECT_FALSE(set.Has(value)) << EdmTypeName(value.type());
  }
  EXPECT_EQ(set.Of(EdmType::kString).size(), 2U);
  EXPECT_EQ(set.Of(EdmType::kDouble).size(), 1U);
}

// Numbers of all three types, near those that a Double cannot tell apart.
TEST(LiteralSetTest, SaysOfEachNumberWhatAComparisonSays) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const auto next = [&random] {
    const std::int64_t base = random() % 2 == 0 ? 0 : std::int64_t{1} << 53;
    const std::int64_t number =
        base + static_cast<std::int64_t>(random() % 64) - 32;
    switch (random() % 3) {
      case 0:
        return Value::Int32(static_cast<std::int32_t>(number - base));
      case 1:
        return Value::Int64(number);
      default:
        return Value::Double(static_cast<double>(number) / 2);
    }
  };
  for (int i = 0; i < 200; ++i) {
    std::vector<Value> literals;
    while (literals.size() < 10) literals.push_back(next());
    const LiteralSet set(literals);
    for (int k = 0; k < 50; ++k) {
      const Value value = next();
      bool is_equal = false;
      for (const Value& literal : literals) {
        is_equal |= Compare(CompareOp::kEqual, value, literal);
      }
      ASSERT_EQ(set.Has(value), is_equal);
    }
  }
}

}  // namespace
}  // namespace entitable
