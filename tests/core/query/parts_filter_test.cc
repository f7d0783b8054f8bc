// Filters over values in parts: arrays, JSON and long texts, in the extended
// dialect.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/limits.h"
#include "query/parser.h"
#include "support/fake_properties.h"
#include "support/matches.h"

namespace entitable {
namespace {

std::string Tree(std::string_view text) {
  const auto filter = ParseFilter(text, FilterDialect::kExtended);
  return filter ? filter->ToString() : filter.error().message;
}

using Texts = std::map<std::string, std::string>;

bool Fits(std::string_view text, const Texts& properties) {
  const auto filter = ParseFilter(text, FilterDialect::kExtended);
  EXPECT_TRUE(filter.has_value()) << text << ": " << filter.error().message;
  if (!filter) return false;
  FakeProperties::Map values;
  for (const auto& [name, value] : properties) {
    values.emplace(name, Value::String(value));
  }
  values.emplace("N", Value::Int32(5));
  return Matches(*filter, FakeProperties(std::move(values)));
}

bool HasItem(std::string_view body, std::string json) {
  return Fits("T/any(x:" + std::string(body) + ")", {{"T", std::move(json)}});
}

TEST(PartsFilterTest, ReadsPathsAndConditionsOnItems) {
  EXPECT_EQ(Tree("place/lat gt 50"), "(gt (/lat (whole place)) 50)");
  EXPECT_EQ(Tree("'Rome' eq place/address/'zip code'/0"),
            "(eq 'Rome' (/address/zip code/0 (whole place)))");
  EXPECT_EQ(Tree("tags/any(x:x eq 'a')"), "(any (whole tags) (eq item 'a'))");
  EXPECT_EQ(Tree("A eq 1 and not tags/any(x:x in ('a','b')) and B eq 2"),
            "(and (and (eq A 1) (not (any (whole tags) (in item 'a' 'b')))) "
            "(eq B 2))");
  EXPECT_EQ(Tree("o/lines/any( l : l/n gt N and (not l/off or l/n eq 1))"),
            "(any/lines (whole o) (and (gt item/n N) (or (not (eq item/off "
            "true)) (eq item/n 1))))");
  EXPECT_EQ(Tree("tags/any(x:contains(x,'a') eq false or true ne (x eq 1))"),
            "(any (whole tags) (or (not (contains item 'a')) (not (eq item "
            "1))))");
  EXPECT_EQ(Tree("contains(whole(notes),'x')"), "(contains (whole notes) 'x')");
  // Words are names where a step is.
  EXPECT_EQ(Tree("place/any eq 1 and place/eq eq 1"),
            "(and (eq (/any (whole place)) 1) (eq (/eq (whole place)) 1))");
}

TEST(PartsFilterTest, NamesThePlaceOfAnError) {
  for (const auto& [text, position] : std::vector<std::pair<std::string, int>>{
           {"place/ eq 1", 11},
           {"place/", 6},
           {"place/lat", 9},
           {"tags/any(x eq 1)", 13},
           {"tags/any(1:x eq 1)", 10},
           {"tags/any(x:)", 12},
           {"tags/any(x:x eq 1,2)", 18},
           {"tags/any(x:tags/any(y:y eq 1))", 19},
           {"tags/any(x:x eq 1", 17},
           {"whole(5) eq 'x'", 5},
           {"whole(a/b) eq 'x'", 5},
           {"a : b", 3},
           {"/a eq 1", 1}}) {
    EXPECT_EQ(Tree(text), "Syntax error at position " +
                              std::to_string(position) + " in '" + text + "'.");
  }
  const auto refused =
      ParseFilter("tags/any(x:x eq null)", FilterDialect::kExtended);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
}

// The service has no paths.
TEST(PartsFilterTest, IsNotPartOfTheDefaultDialect) {
  for (const std::string_view text :
       {"place/lat gt 50", "tags/any(x:x eq 'a')", "a : b"}) {
    const auto filter = ParseFilter(text);
    ASSERT_FALSE(filter.has_value()) << text;
    EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
  }
}

TEST(PartsFilterTest, ComparesItemsByValueAndType) {
  EXPECT_TRUE(HasItem("x eq 'b'", R"(["a","b"])"));
  EXPECT_FALSE(HasItem("x eq 'B'", R"(["a","b"])"));
  EXPECT_TRUE(HasItem("x eq 5", "[4,5.0]"));
  EXPECT_FALSE(HasItem("x eq 5", R"(["5",[5],{"x":5},null])"));
  EXPECT_TRUE(HasItem("x ne 5", "[5,6]"));
  EXPECT_FALSE(HasItem("x ne 5", R"([5,"6",null])"));
  EXPECT_TRUE(HasItem("x gt 1.5 and x lt 2.5", "[1,2,3]"));
  // Of one item, not of two.
  EXPECT_FALSE(HasItem("x gt 1.5 and x lt 2.5", "[1,3]"));
  EXPECT_TRUE(HasItem("x in ('c','a')", R"(["a"])"));
  EXPECT_TRUE(
      HasItem("startswith(x,'be') or length(x) gt 5", R"(["a","bee"])"));
  EXPECT_TRUE(HasItem("x", "[false,true]"));
  EXPECT_FALSE(HasItem("not x", "[true]"));
  // Of a value of another type no condition holds, but `not` of it does.
  EXPECT_TRUE(HasItem("not (x eq 5)", R"(["a"])"));
  EXPECT_TRUE(HasItem("x gt N", "[6]"));
  EXPECT_TRUE(HasItem("x/n eq 2 and x/off eq false",
                      R"([{"n":1,"off":false},{"n":2,"off":false}])"));
  EXPECT_TRUE(HasItem("x eq '\n'", R"(["\n"])"));
}

TEST(PartsFilterTest, FindsNothingInWhatIsNoArray) {
  for (const std::string_view text :
       {R"({"a":"a"})", R"("a")", "a", R"(["a")", R"(["a"],)", ""}) {
    EXPECT_FALSE(HasItem("x eq 'a'", std::string(text))) << text;
    EXPECT_FALSE(HasItem("not (x eq 'b')", std::string(text))) << text;
  }
  EXPECT_FALSE(Fits("T/any(x:x eq 'a')", {}));
  EXPECT_FALSE(Fits("N/any(x:x eq 5)", {}));
  EXPECT_TRUE(Fits("not T/any(x:x eq 'a')", {}));
  EXPECT_FALSE(HasItem("x eq 'a'", "[]"));
}

TEST(PartsFilterTest, ComparesWhatIsAtAPath) {
  const Texts row = {
      {"P", R"({"lat":41.9,"on":true,"a":{"c":"Rome"},"l":["x",{"n":1}]})"}};
  for (const std::string_view text :
       {"P/lat gt 41", "P/lat sub 40 lt N", "P/a/c eq 'Rome'", "P/on eq true",
        "contains(tolower(P/a/c),'rom')", "P/l/0 eq 'x'", "P/l/1/n eq 1",
        "P/l/any(x:x eq 'x')", "P/l/any(x:x/n ge 1)", "P/lat in (1,41.9)",
        "P/lat gt N and not (P/none eq 1)", "P/a/'c' eq P/a/c"}) {
    EXPECT_TRUE(Fits(text, row)) << text;
  }
  for (const std::string_view text :
       {"P/none ne 1", "P/lat eq '41.9'", "P/a eq 'Rome'", "P/l/5 ne 1",
        "P/a/any(x:x eq 'Rome')", "Q/lat gt 1", "P/lat/x eq 1",
        "P/on gt 'a'"}) {
    EXPECT_FALSE(Fits(text, row)) << text;
  }
}

// A full part is always followed by another one (model/parts.h).
TEST(PartsFilterTest, ReadsAllPartsOrNone) {
  const std::string full = std::string(kMaxStringLength - 1, ' ') + "[";
  const auto has = [&](const Texts& parts) {
    return Fits("T/any(x:x eq 7)", parts);
  };
  EXPECT_TRUE(has({{"T", full}, {"T_2", "7]"}}));
  EXPECT_TRUE(has({{"T", full},
                   {"T_2", std::string(kMaxStringLength - 1, ' ')},
                   {"T_3", "7]"}}));
  EXPECT_TRUE(has(
      {{"T", std::string(kMaxStringLength - 3, ' ') + "[7]"}, {"T_2", ""}}));
  // One is missing, or one too many.
  EXPECT_FALSE(has({{"T", std::string(kMaxStringLength - 3, ' ') + "[7]"}}));
  EXPECT_FALSE(has({{"T", full}, {"T_3", "7]"}}));
  EXPECT_FALSE(has({{"T", "[7]"}, {"T_2", ""}}));
  EXPECT_FALSE(has({{"T", "[7]"}, {"T_16", "x"}}));
  EXPECT_TRUE(has({{"T", "[7]"}, {"T_17", "x"}, {"T_1", "x"}, {"T_x", "x"}}));

  const Texts text = {{"S", std::string(kMaxStringLength, 'a')}, {"S_2", "bc"}};
  EXPECT_TRUE(
      Fits("contains(whole(S),'abc') and endswith(whole(S),'c')", text));
  EXPECT_FALSE(Fits("contains(S,'abc')", text));
  EXPECT_TRUE(Fits("length(whole(S)) eq 32770", text));
  EXPECT_FALSE(Fits("whole(N) eq N", text));
}

TEST(PartsFilterTest, KeepsTextsWithSharedNamesApart) {
  const std::string full(kMaxStringLength, 'a');
  const Texts row = {{"S", full}, {"S_2", full}, {"S_3", "z"}, {"S_2_2", "y"}};
  EXPECT_TRUE(
      Fits("endswith(whole(S_2),'ay') and endswith(whole(S),'az')", row));
  EXPECT_TRUE(
      Fits("S_3 eq 'z' and endswith(whole(S),'az') and S_2_2 eq 'y'", row));
}

}  // namespace
}  // namespace entitable
