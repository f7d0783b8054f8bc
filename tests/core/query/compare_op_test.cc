#include "query/compare_op.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace entitable {
namespace {

// Source: query of the spec, 3.2.
TEST(CompareOpTest, HasAKeywordInLowerCase) {
  const std::string_view kKeywords[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  for (const CompareOp op : kCompareOps) {
    const auto index = static_cast<std::size_t>(op);
    EXPECT_EQ(CompareOpKeyword(op), kKeywords[index]);
    EXPECT_EQ(ToCompareOp(kKeywords[index]), op);
  }
  for (const std::string_view other : {"", "EQ", "Eq", "equals", "not", "l"}) {
    EXPECT_FALSE(ToCompareOp(other).has_value()) << other;
  }
}

// For all pairs of small numbers: `a op b` means `b Mirrored(op) a`.
TEST(CompareOpTest, ExchangesItsSides) {
  const auto holds = [](int a, CompareOp op, int b) {
    switch (op) {
      case CompareOp::kEqual:
        return a == b;
      case CompareOp::kNotEqual:
        return a != b;
      case CompareOp::kLessThan:
        return a < b;
      case CompareOp::kLessThanOrEqual:
        return a <= b;
      case CompareOp::kGreaterThan:
        return a > b;
      case CompareOp::kGreaterThanOrEqual:
        return a >= b;
    }
    return false;
  };
  for (const CompareOp op : kCompareOps) {
    for (const auto& [a, b] :
         {std::pair(1, 1), std::pair(1, 2), std::pair(2, 1)}) {
      EXPECT_EQ(holds(a, op, b), holds(b, Mirrored(op), a))
          << CompareOpKeyword(op);
    }
  }
}

TEST(CompareOpTest, HasTheServicesNameIfItOrders) {
  EXPECT_EQ(OrderingName(CompareOp::kLessThan), "LessThan");
  EXPECT_EQ(OrderingName(CompareOp::kLessThanOrEqual), "LessThanOrEqual");
  EXPECT_EQ(OrderingName(CompareOp::kGreaterThan), "GreaterThan");
  EXPECT_EQ(OrderingName(CompareOp::kGreaterThanOrEqual), "GreaterThanOrEqual");
  EXPECT_EQ(OrderingName(CompareOp::kEqual), "");
  EXPECT_EQ(OrderingName(CompareOp::kNotEqual), "");
}

}  // namespace
}  // namespace entitable
