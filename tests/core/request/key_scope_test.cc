#include "request/key_scope.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace entitable {
namespace {

constexpr EntityKeyView kKeys[] = {{"a", "9"}, {"b", ""},  {"b", "4"},
                                   {"b", "5"}, {"c", "0"}, {"d", "3"},
                                   {"d", "4"}, {"e", "0"}};

// "b5 c0", the keys inside.
std::string Inside(const KeyRange& range) {
  std::string text;
  for (const EntityKeyView& key : kKeys) {
    if (!Contains(range, key)) continue;
    if (!text.empty()) text += ' ';
    text.append(key.partition_key).append(key.row_key);
  }
  return text;
}

TEST(KeyScopeTest, EndsWhereItSays) {
  const struct {
    KeyScope scope;
    const char* inside;
  } kCases[] = {
      {{}, "a9 b b4 b5 c0 d3 d4 e0"},
      {{.first_partition_key = "b"}, "b b4 b5 c0 d3 d4 e0"},
      {{.first_partition_key = "b", .first_row_key = "5"}, "b5 c0 d3 d4 e0"},
      {{.last_partition_key = "d"}, "a9 b b4 b5 c0 d3 d4"},
      {{.last_partition_key = "d", .last_row_key = "3"}, "a9 b b4 b5 c0 d3"},
      {{.last_partition_key = "b", .last_row_key = ""}, "a9 b"},
      {{"b", "5", "d", "3"}, "b5 c0 d3"},
      {{"c", "0", "c", "0"}, "c0"},
      {{"e", std::nullopt, "b", std::nullopt}, ""},
  };
  for (const auto& [scope, inside] : kCases) {
    EXPECT_EQ(Inside(RangeOf(scope)), inside);
  }
}

TEST(KeyScopeTest, LeavesOfRangesWhatLiesInIt) {
  const KeyRange scope = RangeOf({"b", "4", "d", "3"});
  const std::vector<KeyRange> ranges = {
      RangeOf({.last_partition_key = "a"}),
      RangeOf({"b", std::nullopt, "b", "4"}),
      RangeOf({"b", "5", "b", "5"}),
      RangeOf({.first_partition_key = "d"}),
  };

  const std::vector<KeyRange> left = Within(scope, ranges);

  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(Inside(left[0]), "b4");
  EXPECT_EQ(Inside(left[1]), "b5");
  EXPECT_EQ(Inside(left[2]), "d3");
}

TEST(KeyScopeTest, LeavesTheWholeScopeOfEverything) {
  const std::vector<KeyRange> left =
      Within(RangeOf({"b", "4", "b", "5"}), {KeyRange{}});

  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(Inside(left[0]), "b4 b5");
}

}  // namespace
}  // namespace entitable
