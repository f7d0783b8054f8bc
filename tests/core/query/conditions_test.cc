#include "query/conditions.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "query/parser.h"
#include "support/key_table_of.h"

namespace entitable {
namespace {

std::string Spelled(const Conditions& conditions, const Condition& leaf) {
  if (leaf.kind == ConditionKind::kConstant) {
    return leaf.literal.boolean() ? "true" : "false";
  }
  const std::string name(conditions.names()[leaf.property]);
  const std::string op(CompareOpKeyword(leaf.op));
  if (leaf.kind == ConditionKind::kCompare) return name + " " + op;
  std::size_t count = 0;
  for (int type = 1; type <= 8; ++type) {
    count += conditions.SetOf(leaf).Of(static_cast<EdmType>(type)).size();
  }
  return name + " " + op + " " + std::to_string(count);
}

// In postfix order: "[A eq 3] [B lt] or".
std::string ConditionsOf(std::string_view text) {
  const auto filter = ParseFilter(text);
  if (!filter) return filter.error().message;
  const Conditions conditions(*filter);
  std::string spelled;
  for (const Condition& node : conditions.nodes()) {
    if (!spelled.empty()) spelled += ' ';
    spelled += node.is_leaf() ? "[" + Spelled(conditions, node) + "]"
               : node.kind == ConditionKind::kNot ? "not"
               : node.kind == ConditionKind::kAnd ? "and"
                                                  : "or";
  }
  return spelled;
}

TEST(ConditionsTest, MakesASetOfWhatIsComparedInAChain) {
  const struct {
    const char* filter;
    const char* conditions;
  } kCases[] = {
      {"", "[true]"},
      {"A eq 1", "[A eq]"},
      {"A eq 1 or A eq 2", "[A eq 2]"},
      {"A eq 1 or A eq 2 or A eq 1 or A eq 2L", "[A eq 3]"},
      {"A eq NaN or A eq 1", "[A eq 1]"},
      {"A or A eq 5", "[A eq 2]"},
      {"A ne 1 and A ne 2", "[A ne 2]"},
      {"A ne 1 or A ne 2", "[A ne] [A ne] or"},
      {"A eq 1 and A eq 2", "[A eq] [A eq] and"},
      // With any brackets, and with other conditions in between.
      {"A eq 1 or (A eq 2 or (A eq 3 or A eq 4))", "[A eq 4]"},
      {"(A eq 1 or B lt 2) or (B eq 3 or A eq 4) or B eq 5",
       "[A eq 2] [B lt] or [B eq 2] or"},
      {"P eq 'p' and (A eq 1 or A eq 2)", "[P eq] [A eq 2] and"},
      {"A eq 1 or A eq 2 and B eq 3", "[A eq] [A eq] [B eq] and or"},
      {"not (A eq 1 or A eq 2) and B", "[A eq 2] not [B eq] and"},
      {"A eq 1 or not (A eq 2)", "[A eq] [A eq] not or"},
  };
  for (const auto& [filter, conditions] : kCases) {
    EXPECT_EQ(ConditionsOf(filter), conditions) << filter;
  }
}

TEST(ConditionsTest, NumbersEachPropertyOnce) {
  const auto filter = ParseFilter("B lt 1 and (A gt 2 or B gt 3) and C ne 'x'");

  EXPECT_EQ(KeysOf(Conditions(*filter).names()),
            (std::vector<std::string>{"B", "A", "C"}));
}

// Brackets and long chains need no more depth than the tree has.
TEST(ConditionsTest, MeasuresHowManyAnswersWait) {
  std::string chain = "A lt 0";
  for (int i = 1; i < 1'000; ++i) chain += " or A lt " + std::to_string(i);
  const auto depth = [](const std::string& text) {
    return Conditions(*ParseFilter(text)).max_depth();
  };

  EXPECT_EQ(depth("A"), 1U);
  EXPECT_EQ(depth(chain), 2U);
  EXPECT_EQ(depth("A lt 1 or (B lt 1 and (C lt 1 or (D lt 1 and E lt 1)))"),
            5U);
}

}  // namespace
}  // namespace entitable
