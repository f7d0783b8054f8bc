// Which entries of an index a filter needs.  The values of a property in the
// entries are in the order of an ordered query.

#include "query/index_plan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/entity.h"
#include "query/parser.h"

namespace entitable {
namespace {

IndexPlan PlanOf(std::string_view filter, const IndexTerms& terms,
                 FilterDialect dialect = FilterDialect::kService) {
  return PlanIndex(*ParseFilter(filter, dialect), terms);
}

// Whether the plan has the entry of an entity with these values of the terms.
bool Covers(const IndexPlan& plan, const IndexTerms& terms,
            const std::vector<Value>& values) {
  PropertyList properties;
  for (std::size_t i = 0; i < values.size(); ++i) {
    properties.Append(terms[i].name, values[i]);
  }
  const std::string entry =
      IndexEntriesOf(terms, {"p", "r"}, properties.bytes()).front();
  for (const auto& [first, last] : plan.ranges) {
    if (first <= entry && (entry < last || entry.starts_with(last))) {
      return true;
    }
  }
  return false;
}

TEST(IndexPlanTest, HasExactlyTheValuesOfAComparison) {
  const Value five = Value::Int32(5);
  const Value six = Value::Int32(6);
  const Value text = Value::String("x");
  for (const bool descends : {false, true}) {
    const IndexTerms terms = {{"A", descends}};
    const struct {
      std::string_view filter;
      bool has_five;
      bool has_six;
      bool has_text;
      bool has_none;
    } kCases[] = {
        {"A eq 5", true, false, false, false},
        {"A ge 6", false, true, false, false},
        {"A le 5", true, false, true, false},
        {"A ge 5 and A le 5", true, false, false, false},
        {"A eq 5 or A eq 6", true, true, false, false},
        {"A eq 'x'", false, false, true, false},
        {"A ne 7", true, true, true, false},
        {"false", false, false, false, false},
        {"A eq 5 and A eq 6", false, false, false, false},
    };
    for (const auto& [filter, has_five, has_six, has_text, has_none] : kCases) {
      SCOPED_TRACE(filter);
      const IndexPlan plan = PlanOf(filter, terms);
      EXPECT_TRUE(plan.equal_terms > 0 || plan.has_range);
      EXPECT_EQ(Covers(plan, terms, {five}), has_five);
      EXPECT_EQ(Covers(plan, terms, {six}), has_six);
      EXPECT_EQ(Covers(plan, terms, {text}), has_text);
      EXPECT_EQ(Covers(plan, terms, {}), has_none);
    }
  }
}

// Source: query of the spec, 3.6: the literal takes the type of the property.
TEST(IndexPlanTest, HasTheDoublesThatAnInt64IsRoundedTo) {
  const IndexTerms terms = {{"A"}};
  const IndexPlan plan = PlanOf("A eq 9007199254740993L", terms);

  EXPECT_TRUE(Covers(plan, terms, {Value::Int64(9007199254740993)}));
  EXPECT_TRUE(Covers(plan, terms, {Value::Double(9007199254740992.0)}));
  EXPECT_FALSE(Covers(plan, terms, {Value::Double(9007199254740996.0)}));
}

TEST(IndexPlanTest, IsOfNoUseWithoutAConditionOnTheFirstTerm) {
  const IndexTerms terms = {{"A"}, {"B"}};
  for (const std::string_view filter :
       {"", "B eq 1", "not (A eq 1)", "A eq 1 or B eq 1"}) {
    const IndexPlan plan = PlanOf(filter, terms);
    EXPECT_EQ(plan.equal_terms, 0U) << filter;
    EXPECT_FALSE(plan.has_range) << filter;
  }
}

TEST(IndexPlanTest, CountsTheTermsThatAreFixed) {
  const IndexTerms terms = {{"A"}, {"B", true}, {"C"}};
  const struct {
    std::string_view filter;
    std::size_t equal_terms;
    bool has_range;
    std::size_t ranges;
  } kCases[] = {
      {"A eq 1", 1, false, 1},
      {"A eq 1 and B eq 2", 2, false, 1},
      {"A eq 1 and B gt 2", 1, true, 1},
      {"A gt 1 and B eq 2", 0, true, 1},
      {"A eq 1 and B eq 2 and C eq 3", 3, false, 1},
      {"(A eq 1 or A eq 2) and (B eq 3 or B eq 4)", 2, false, 4},
      {"(A eq 1 and B eq 3) or (A eq 2 and B eq 4)", 2, false, 4},
      {"A eq 1 and C eq 3", 1, false, 1},
      {"A eq 1 and B eq 1 and B eq 2", 2, false, 0},
  };
  for (const auto& [filter, equal_terms, has_range, ranges] : kCases) {
    SCOPED_TRACE(filter);
    const IndexPlan plan = PlanOf(filter, terms);
    EXPECT_EQ(plan.equal_terms, equal_terms);
    EXPECT_EQ(plan.has_range, has_range);
    EXPECT_EQ(plan.ranges.size(), ranges);
  }
}

TEST(IndexPlanTest, HasOrderedRangesEvenOfManyValues) {
  for (const bool descends : {false, true}) {
    const IndexTerms terms = {{"A", descends}, {"B"}};
    std::string filter = "B eq 1 and (A eq 0";
    for (int i = 999; i > 0; --i) filter += " or A eq " + std::to_string(i);
    filter += ')';
    const IndexPlan plan = PlanOf(filter, terms, FilterDialect::kExtended);

    EXPECT_LE(plan.ranges.size(), 256U);
    for (int i = 0; i < 1000; ++i) {
      EXPECT_TRUE(Covers(plan, terms, {Value::Int32(i), Value::Int32(1)}));
    }
    for (std::size_t i = 1; i < plan.ranges.size(); ++i) {
      EXPECT_LT(plan.ranges[i - 1].last, plan.ranges[i].first);
    }
  }
}

TEST(IndexPlanTest, KeepsTextsBehindTheLastCharacterOfAPrefix) {
  const IndexTerms terms = {{"A"}};
  const IndexPlan plan = PlanOf("A ge 'x' or A eq '\uF000a'", terms);

  EXPECT_TRUE(Covers(plan, terms, {Value::String("\uF123")}));
}

// The first byte of such a character is FF, as is the end of a kind.
TEST(IndexPlanTest, KeepsTextsBehindOneThatEndsARange) {
  for (const bool descends : {false, true}) {
    const IndexTerms terms = {{"A", descends}};
    for (const std::string_view filter :
         {"A lt '\uFF42' or A gt 'b'", "A gt 'b' or A lt '\uFF42'"}) {
      const IndexPlan plan = PlanOf(filter, terms);
      EXPECT_TRUE(Covers(plan, terms, {Value::String("\uFF5A")})) << filter;
      EXPECT_TRUE(Covers(plan, terms, {Value::String("b")})) << filter;
    }
    const IndexPlan both = PlanOf("A gt 'b' and A lt '\uFF42'", terms);
    EXPECT_TRUE(Covers(both, terms, {Value::String("\uFF41")}));
    EXPECT_FALSE(Covers(both, terms, {Value::String("\uFF5A")}));
  }
}

}  // namespace
}  // namespace entitable
