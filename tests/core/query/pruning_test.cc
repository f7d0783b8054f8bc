#include "query/pruning.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "query/parser.h"

namespace entitable {
namespace {

void Add(std::string_view name, const Value& least, const Value& greatest,
         PropertyList& zone_map) {
  zone_map.Append(name, least);
  zone_map.Append("", greatest);
}

PropertyList ZoneMap() {
  PropertyList zone_map;
  Add("N", Value::Int32(3), Value::Int32(7), zone_map);
  Add("L", Value::Int64(5), Value::Int64(5), zone_map);
  Add("D", Value::Double(-0.5), Value::Double(0.5), zone_map);
  Add("B", Value::Boolean(false), Value::Boolean(false), zone_map);
  Add("T", Value::OfDateTime(*DateTime::Parse("2020-01-01T00:00:00Z")),
      Value::OfDateTime(*DateTime::Parse("2020-12-31T00:00:00Z")), zone_map);
  Add("S", Value::String("beta"), Value::String("kilo"), zone_map);
  return zone_map;
}

std::string PruneByZoneMap(const std::string& text) {
  const auto filter = ParseFilter(text);
  if (!filter) return filter.error().message;
  switch (PruneByZoneMap(Conditions(*filter), ZoneMap())) {
    case PageMatch::kNone:
      return "none";
    case PageMatch::kSome:
      return "some";
    case PageMatch::kAll:
      return "all";
  }
  return {};
}

TEST(PruningTest, ChecksWhetherAComparisonCanHold) {
  const struct {
    const char* filter;
    const char* match;
  } kCases[] = {
      // Between the least and the greatest, at them, and beyond.
      {"N eq 5", "some"},
      {"N eq 3", "some"},
      {"N eq 2", "none"},
      {"N eq 8", "none"},
      {"N lt 3", "none"},
      {"N lt 4", "some"},
      {"N le 3", "some"},
      {"N le 2", "none"},
      {"N gt 7", "none"},
      {"N gt 6", "some"},
      {"N ge 7", "some"},
      {"N ge 8", "none"},
      {"N ne 5", "some"},
      // Not one that is all there is.
      {"L eq 5", "some"},
      {"L ne 5", "none"},
      {"L ne 5L", "none"},
      {"B", "none"},
      {"B eq false", "some"},
      {"B ne false", "none"},
      {"D gt 0.5", "none"},
      {"D ge 0.5", "some"},
      {"D lt -0.5", "none"},
      {"D gt 1", "none"},
      {"T lt datetime'2020-01-01T00:00:00Z'", "none"},
      {"T ge datetime'2020-12-31T00:00:00Z'", "some"},
      // Of a type that is not brought to the property's, any is less.
      {"N eq 5L", "none"},
      {"N lt 1L", "some"},
      {"N gt 0.5", "none"},
      {"N ne 'x'", "some"},
      {"S lt 5", "some"},
      {"S gt 5", "none"},
      // Whatever begins with the greatest may be there.
      {"S eq 'alpha'", "none"},
      {"S eq 'beta'", "some"},
      {"S eq 'kilo'", "some"},
      {"S eq 'kilogram'", "some"},
      {"S gt 'kilogram'", "some"},
      {"S eq 'kilp'", "none"},
      {"S gt 'kilp'", "none"},
      {"S lt 'beta'", "none"},
      {"S lt 'b'", "none"},
      {"S le 'beta'", "some"},
      // Nothing is known of these.
      {"X eq 1", "some"},
      {"PartitionKey eq 'p'", "some"},
      {"RowKey lt 'a'", "some"},
  };
  for (const auto& [filter, match] : kCases) {
    EXPECT_EQ(PruneByZoneMap(filter), match) << filter;
  }
}

TEST(PruningTest, KnowsThatNothingEqualsANumberThatIsNone) {
  EXPECT_EQ(PruneByZoneMap("D eq NaN"), "none");
  EXPECT_EQ(PruneByZoneMap("D lt NaN"), "none");
  EXPECT_EQ(PruneByZoneMap("D ne NaN"), "some");
}

// An entity without the property matches the negation of any comparison.
TEST(PruningTest, JoinsWhatItKnows) {
  const struct {
    const char* filter;
    const char* match;
  } kCases[] = {
      {"", "all"},
      {"true", "all"},
      {"false", "none"},
      {"not false", "all"},
      {"not true", "none"},
      {"not (N eq 2)", "all"},
      {"not (N ge 3)", "some"},
      {"not not (N eq 2)", "none"},
      {"N eq 2 and N eq 5", "none"},
      {"N eq 5 and N eq 2", "none"},
      {"N eq 2 or N eq 5", "some"},
      {"N eq 2 or N gt 7", "none"},
      {"N eq 2 or true", "all"},
      {"N eq 5 and true", "some"},
      {"not (N eq 2 or N eq 8)", "all"},
      {"not (N eq 2 and X eq 1)", "all"},
      {"X eq 1 and (B or L ne 5)", "none"},
  };
  for (const auto& [filter, match] : kCases) {
    EXPECT_EQ(PruneByZoneMap(filter), match) << filter;
  }
}

// Of a set that is what its literals say one by one.
TEST(PruningTest, ChecksWhetherAValueCanBeInASet) {
  const struct {
    const char* filter;
    const char* match;
  } kCases[] = {
      {"N eq 1 or N eq 2", "none"},
      {"N eq 1 or N eq 8", "none"},
      {"N eq 1 or N eq 7", "some"},
      {"N eq 3 or N eq 8", "some"},
      {"N eq '5' or N eq 5L", "none"},
      {"L eq 4 or L eq 6L", "none"},
      {"L eq 4L or L eq 5", "some"},
      {"D eq 1 or D eq -1L", "none"},
      {"D eq 1 or D eq 0L", "some"},
      {"B eq true or B eq 5", "none"},
      {"B eq true or B eq false", "some"},
      // Texts are known by their beginnings.
      {"S eq 'a' or S eq 'l'", "none"},
      {"S eq 'a' or S eq 'kilometer' or S eq 'x'", "some"},
      {"S eq 'a' or S eq 'beta'", "some"},
      {"N ne 3 and N ne 7", "some"},
      {"L ne 5 and L ne 6", "none"},
      {"L ne 4 and L ne 6", "some"},
      {"S ne 'beta' and S ne 'kilo'", "some"},
      {"X eq 1 or X eq 2", "some"},
  };
  for (const auto& [filter, match] : kCases) {
    EXPECT_EQ(PruneByZoneMap(filter), match) << filter;
  }
}

}  // namespace
}  // namespace entitable
