#include "query/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "query/parser.h"

namespace entitable {
namespace {

void Add(std::string_view name, const Value& least, const Value& greatest,
         PropertyList& zones) {
  zones.Append(name, least);
  zones.Append("", greatest);
}

PropertyList Zones() {
  PropertyList zones;
  Add("N", Value::Int32(3), Value::Int32(7), zones);
  Add("L", Value::Int64(5), Value::Int64(5), zones);
  Add("D", Value::Double(-0.5), Value::Double(0.5), zones);
  Add("B", Value::Boolean(false), Value::Boolean(false), zones);
  Add("T", Value::OfDateTime(*DateTime::Parse("2020-01-01T00:00:00Z")),
      Value::OfDateTime(*DateTime::Parse("2020-12-31T00:00:00Z")), zones);
  Add("S", Value::String("beta"), Value::String("kilo"), zones);
  return zones;
}

std::string ForecastOf(const std::string& text) {
  const auto filter = ParseFilter(text);
  if (!filter) return filter.error().message;
  switch (ForecastOf(Conditions(*filter), Zones())) {
    case Forecast::kNone:
      return "none";
    case Forecast::kSome:
      return "some";
    case Forecast::kAll:
      return "all";
  }
  return {};
}

TEST(ForecastTest, TellsWhetherAComparisonCanHold) {
  const struct {
    const char* filter;
    const char* forecast;
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
  for (const auto& [filter, forecast] : kCases) {
    EXPECT_EQ(ForecastOf(filter), forecast) << filter;
  }
}

TEST(ForecastTest, KnowsThatNothingEqualsANumberThatIsNone) {
  EXPECT_EQ(ForecastOf("D eq NaN"), "none");
  EXPECT_EQ(ForecastOf("D lt NaN"), "none");
  EXPECT_EQ(ForecastOf("D ne NaN"), "some");
}

// An entity that lacks the property fits the negation of any comparison.
TEST(ForecastTest, JoinsWhatItKnows) {
  const struct {
    const char* filter;
    const char* forecast;
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
  for (const auto& [filter, forecast] : kCases) {
    EXPECT_EQ(ForecastOf(filter), forecast) << filter;
  }
}

// Of a set that is what its literals say one by one.
TEST(ForecastTest, TellsWhetherAValueCanBeInASet) {
  const struct {
    const char* filter;
    const char* forecast;
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
  for (const auto& [filter, forecast] : kCases) {
    EXPECT_EQ(ForecastOf(filter), forecast) << filter;
  }
}

}  // namespace
}  // namespace entitable
