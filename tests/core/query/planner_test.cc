#include "query/planner.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "query/parser.h"
#include "support/fake_properties.h"
#include "support/matches.h"
#include "support/planned.h"

namespace entitable {
namespace {

TEST(PlannerTest, TurnsBoundsOnKeysIntoRanges) {
  const struct {
    std::string text;
    std::string ranges;
  } kCases[] = {
      {"", "(-inf, +inf)"},
      {"PartitionKey eq 'p' and RowKey eq 'r'", "['p'/'r', 'p'/'r']"},
      {"N eq 5 and RowKey eq 'r' and 'p' eq PartitionKey",
       "['p'/'r', 'p'/'r']"},
      {"PartitionKey eq 'p'", "['p'/'', 'p\\0'/'')"},
      {"PartitionKey eq 'p' and N gt 5", "['p'/'', 'p\\0'/'')"},
      {"PartitionKey eq 'p' and RowKey ge 'a' and RowKey lt 'b'",
       "['p'/'a', 'p'/'b')"},
      {"PartitionKey eq 'p' and RowKey gt 'a' and RowKey le 'b'",
       "('p'/'a', 'p'/'b']"},
      {"PartitionKey eq 'p' and RowKey gt 'a'", "('p'/'a', 'p\\0'/'')"},
      {"PartitionKey eq 'p' and RowKey lt 'a'", "['p'/'', 'p'/'a')"},
      {"PartitionKey ge 'abc' and PartitionKey lt 'abd'",
       "['abc'/'', 'abd'/'')"},
      {"PartitionKey gt 'a' and PartitionKey le 'b'", "['a\\0'/'', 'b\\0'/'')"},
      {"PartitionKey gt 'a'", "['a\\0'/'', +inf)"},
      {"PartitionKey le 'a'", "(-inf, 'a\\0'/'')"},
      {"PartitionKey ge ''", "(-inf, +inf)"},
      {"PartitionKey gt ''", "['\\0'/'', +inf)"},
      {"PartitionKey eq ''", "(-inf, '\\0'/'')"},
      {"PartitionKey eq '' and RowKey eq ''", "(-inf, ''/'']"},
      // Row bounds help at the ends of a run of partitions too.
      {"PartitionKey ge 'a' and PartitionKey le 'b' and RowKey gt 'r' and "
       "RowKey lt 's'",
       "('a'/'r', 'b'/'s')"},
      {"PartitionKey gt 'a' and PartitionKey lt 'b' and RowKey eq 'r'",
       "['a\\0'/'', 'b'/'')"},
      {"RowKey eq 'r'", "(-inf, +inf)"},
  };
  for (const auto& [text, ranges] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Planned(text), ranges);
  }
}

TEST(PlannerTest, UnitesBranchesInKeyOrder) {
  const struct {
    std::string text;
    std::string ranges;
  } kCases[] = {
      {"PartitionKey eq 'q' or PartitionKey eq 'p'",
       "['p'/'', 'p\\0'/'') ['q'/'', 'q\\0'/'')"},
      {"PartitionKey eq 'p' and (RowKey eq 'b' or RowKey eq 'a' or "
       "RowKey eq 'b')",
       "['p'/'a', 'p'/'a'] ['p'/'b', 'p'/'b']"},
      {"PartitionKey eq 'p' and RowKey eq 'b' or PartitionKey eq 'p'",
       "['p'/'', 'p\\0'/'')"},
      {"PartitionKey lt 'b' or PartitionKey ge 'b'", "(-inf, +inf)"},
      {"PartitionKey lt 'b' or PartitionKey gt 'b'",
       "(-inf, 'b'/'') ['b\\0'/'', +inf)"},
      {"PartitionKey eq 'p' or N eq 5", "(-inf, +inf)"},
      {"PartitionKey eq 'p' or false", "['p'/'', 'p\\0'/'')"},
      {"(PartitionKey eq 'p' or PartitionKey eq 'q') and "
       "(RowKey eq 'a' or RowKey eq 'b') and PartitionKey ne 'x'",
       "['p'/'a', 'p'/'a'] ['p'/'b', 'p'/'b'] "
       "['q'/'a', 'q'/'a'] ['q'/'b', 'q'/'b']"},
      // U+1F600 sorts before U+FF21, as in UTF-16.
      {"PartitionKey eq '\xEF\xBC\xA1' or PartitionKey eq '\xF0\x9F\x98\x80'",
       "['\xF0\x9F\x98\x80'/'', '\xF0\x9F\x98\x80\\0'/'') "
       "['\xEF\xBC\xA1'/'', '\xEF\xBC\xA1\\0'/'')"},
  };
  for (const auto& [text, ranges] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Planned(text), ranges);
  }
}

TEST(PlannerTest, FindsOutThatNothingCanMatch) {
  for (const std::string_view text : {
           "false",
           "PartitionKey eq 'p' and false",
           "PartitionKey eq 'p' and PartitionKey eq 'q'",
           "PartitionKey eq 'p' and RowKey gt 'b' and RowKey lt 'a'",
           "PartitionKey gt 'a' and PartitionKey le 'a'",
           "PartitionKey lt ''",
           "RowKey lt ''",
           "PartitionKey eq 5",
           "PartitionKey gt 5L",
           "PartitionKey ge true",
           "RowKey eq 5.0",
           "RowKey eq 5 or PartitionKey gt 5",
       }) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Planned(text), "");
  }
}

TEST(PlannerTest, KnowsThatNothingLiesBetweenAPartitionAndItsEnd) {
  using namespace std::string_view_literals;

  EXPECT_EQ(Planned("PartitionKey gt 'a' and PartitionKey lt 'a\0'"sv), "");
}

// ---- Random filters against a full scan

// Order in UTF-16, prefixes, and U+0000, which only a filter can name.
const std::vector<std::string> kTexts = {
    "", "a", "aa", "b", "\xEF\xBC\xA1", "\xF0\x9F\x98\x80",
};

std::string RandomFilter(std::mt19937& random, int depth) {
  const auto pick = [&](const auto& choices) {
    return choices[random() % std::size(choices)];
  };
  if (depth > 0 && random() % 4 != 0) {
    const std::string left = RandomFilter(random, depth - 1);
    if (random() % 8 == 0) return "not (" + left + ")";
    return "(" + left + ")" + (random() % 2 != 0 ? " and " : " or ") + "(" +
           RandomFilter(random, depth - 1) + ")";
  }
  const std::string names[] = {"PartitionKey", "PartitionKey", "RowKey",
                               "RowKey", "N"};
  const std::string ops[] = {"eq", "eq", "ne", "lt", "le", "gt", "ge"};
  const std::string others[] = {"5", "5L", "true"};
  if (random() % 16 == 0) return random() % 2 != 0 ? "true" : "false";
  std::string literal = "'" + pick(kTexts);
  if (random() % 8 == 0) literal.push_back('\0');
  literal.push_back('\'');
  if (random() % 8 == 0) literal = pick(others);
  return pick(names) + " " + pick(ops) + " " + literal;
}

// The position of a bound relative to an entity: below zero before it, above
// zero behind it.
int Side(const KeyBound& bound, const EntityKey& key) {
  const auto order = bound.key <=> key;
  if (order != 0) return order < 0 ? -1 : 1;
  return bound.after ? 1 : -1;
}

bool Holds(const KeyRange& range, const EntityKey& key) {
  return (!range.lower || Side(*range.lower, key) < 0) &&
         (!range.upper || Side(*range.upper, key) > 0);
}

bool IsBelow(const KeyBound& a, const KeyBound& b) {
  const auto order = a.key <=> b.key;
  return order != 0 ? order < 0 : !a.after && b.after;
}

void ExpectSortedDisjointAndNonEmpty(const std::vector<KeyRange>& ranges) {
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto& [lower, upper] = ranges[i];
    EXPECT_TRUE(!lower || !upper || IsBelow(*lower, *upper));
    if (i == 0) continue;
    ASSERT_TRUE(lower && ranges[i - 1].upper);
    EXPECT_TRUE(IsBelow(*ranges[i - 1].upper, *lower));
  }
}

TEST(PlannerTest, CoversEveryMatchOfRandomFilters) {
  const std::uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 3000; ++round) {
    const std::string text = RandomFilter(random, static_cast<int>(round % 5));
    SCOPED_TRACE(text);
    const Filter filter = Parsed(text);

    const std::vector<KeyRange> ranges = PlanRanges(filter);

    SCOPED_TRACE(ToString(ranges));
    ExpectSortedDisjointAndNonEmpty(ranges);
    for (const std::string& partition : kTexts) {
      for (const std::string& row : kTexts) {
        const FakeProperties entity({
            {"PartitionKey", Value::String(partition)},
            {"RowKey", Value::String(row)},
            {"N", Value::Int32(static_cast<std::int32_t>(random() % 8))},
        });
        if (!Matches(filter, entity)) continue;
        const EntityKey key = {partition, row};
        int holders = 0;
        for (const KeyRange& range : ranges) holders += Holds(range, key);
        EXPECT_EQ(holders, 1) << partition << "/" << row;
      }
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace entitable
