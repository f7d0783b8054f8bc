#include "query/type_census.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/parser.h"
#include "support/operations.h"

namespace entitable {
namespace {

struct StoredType {
  std::string_view name;
  EdmType type;
};

TypeCensus CensusOf(std::string_view filter,
                    const std::vector<StoredType>& stored) {
  const auto parsed = ParseFilter(filter);
  EXPECT_TRUE(parsed.has_value()) << filter;
  TypeCensus census(*parsed);
  for (const auto& [name, type] : stored) census.Add(name, type);
  return census;
}

std::string JsonOf(const TypeCensus& census) {
  std::string json;
  census.AppendJson(json);
  return json;
}

constexpr EdmType kTypes[] = {
    EdmType::kString,  EdmType::kInt32,    EdmType::kInt64, EdmType::kDouble,
    EdmType::kBoolean, EdmType::kDateTime, EdmType::kGuid,  EdmType::kBinary,
};

// A literal of each type, in their order.
constexpr std::string_view kLiterals[] = {
    "'5'",
    "5",
    "5L",
    "5.0",
    "true",
    "datetime'2024-01-01T00:00:00Z'",
    "guid'a455c695-df98-5678-aaaa-81d3367e5a34'",
    "X'05'",
};

TEST(TypeCensusTest, ListsPropertiesWithTheirTypes) {
  const TypeCensus census = CensusOf("", {{"N", EdmType::kDouble},
                                          {"N", EdmType::kInt32},
                                          {"N", EdmType::kDouble},
                                          {"Name \"x\"", EdmType::kString}});

  EXPECT_EQ(
      JsonOf(census),
      R"([{"name":"PartitionKey","types":["Edm.String"],"comparisons":[]},)"
      R"({"name":"RowKey","types":["Edm.String"],"comparisons":[]},)"
      R"({"name":"Timestamp","types":["Edm.DateTime"],"comparisons":[]},)"
      R"({"name":"N","types":["Edm.Int32","Edm.Double"],"comparisons":[]},)"
      R"({"name":"Name \"x\"","types":["Edm.String"],"comparisons":[]}])");
}

TEST(TypeCensusTest, ListsEachFormOfAComparisonOnce) {
  const TypeCensus census =
      CensusOf("N eq 1 or N eq 2 or 3 lt N and not (N eq '1') or Flag or true",
               {{"N", EdmType::kInt32}});

  EXPECT_EQ(JsonOf(census).substr(0, JsonOf(census).find(R"(,{"name":"Part)")),
            R"([{"name":"N","types":["Edm.Int32"],"comparisons":[)"
            R"({"operator":"eq","type":"Edm.Int32","holds":"sometimes"},)"
            R"({"operator":"gt","type":"Edm.Int32","holds":"sometimes"},)"
            R"({"operator":"eq","type":"Edm.String","holds":"never"}]},)"
            R"({"name":"Flag","types":[],"comparisons":[)"
            R"({"operator":"eq","type":"Edm.Boolean","holds":"never"}]})");
}

// Source: query of the spec, 3.6.
TEST(TypeCensusTest, KnowsWhichTypesAreCompared) {
  const std::pair<EdmType, EdmType> kWidened[] = {
      {EdmType::kInt64, EdmType::kInt32},
      {EdmType::kDouble, EdmType::kInt32},
      {EdmType::kDouble, EdmType::kInt64},
  };
  for (std::size_t i = 0; i < std::size(kTypes); ++i) {
    for (const EdmType stored : kTypes) {
      SCOPED_TRACE(std::string(EdmTypeName(stored)) + " and " +
                   std::string(kLiterals[i]));
      const bool is_compared =
          stored == kTypes[i] ||
          std::ranges::count(kWidened, std::pair(stored, kTypes[i])) > 0;
      const std::string filter = "P ne " + std::string(kLiterals[i]) +
                                 " or P ge " + std::string(kLiterals[i]);

      const TypeCensus census = CensusOf(filter, {{"P", stored}});

      EXPECT_EQ(census.is_decided(), is_compared);
      const auto holds = TextsOf("holds", JsonOf(census));
      EXPECT_EQ(holds,
                is_compared
                    ? (std::vector<std::string>{"sometimes", "sometimes"})
                    : (std::vector<std::string>{"always", "never"}));
    }
  }
}

TEST(TypeCensusTest, IsDecidedOnceEveryComparisonMayGoBothWays) {
  TypeCensus census = CensusOf("A eq 1 and B ge 'x' and B lt 5 and A gt 7", {});
  EXPECT_FALSE(census.is_decided());
  census.Add("A", EdmType::kDouble);
  census.Add("B", EdmType::kString);
  census.Add("C", EdmType::kInt32);
  EXPECT_FALSE(census.is_decided());
  census.Add("B", EdmType::kInt64);
  EXPECT_TRUE(census.is_decided());
}

TEST(TypeCensusTest, KnowsTheTypesOfKeysAndTimestamps) {
  EXPECT_TRUE(CensusOf("PartitionKey eq 'p' and RowKey gt 'r' and Timestamp "
                       "gt datetime'2024-01-01T00:00:00Z'",
                       {})
                  .is_decided());
  EXPECT_FALSE(CensusOf("RowKey eq 5", {}).is_decided());
  EXPECT_FALSE(CensusOf("rowKey eq '5'", {}).is_decided());
}

TEST(TypeCensusTest, IsNeverDecidedWithoutComparisons) {
  EXPECT_FALSE(CensusOf("", {{"A", EdmType::kInt32}}).is_decided());
  EXPECT_FALSE(CensusOf("true", {{"A", EdmType::kInt32}}).is_decided());
}

TEST(TypeCensusTest, HoldsAThousandNames) {
  TypeCensus census = CensusOf("Last eq 1", {});
  for (int i = 0; i < 3'000; ++i) {
    census.Add("P" + std::to_string(i), EdmType::kString);
  }
  census.Add("P0", EdmType::kInt32);
  census.Add("Last", EdmType::kInt32);

  EXPECT_TRUE(census.is_decided());
  const std::string json = JsonOf(census);
  EXPECT_EQ(TextsOf("name", json).size(), 1'000);
  EXPECT_TRUE(json.contains(
      R"({"name":"P0","types":["Edm.String","Edm.Int32"],"comparisons":[]})"));
}

}  // namespace
}  // namespace entitable
