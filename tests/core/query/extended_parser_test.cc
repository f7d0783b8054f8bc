#include <gtest/gtest.h>

#include <string>

#include "query/parser.h"
#include "query/planner.h"
#include "read/index/index_lookup.h"

namespace entitable {
namespace {

Result<Filter> Parse(std::string_view text) {
  return ParseFilter(text, FilterDialect::kExtended);
}

std::string Tree(std::string_view text) {
  const auto filter = Parse(text);
  return filter ? filter->ToString() : filter.error().message;
}

TEST(ExtendedParserTest, BindsArithmeticMoreThanComparisons) {
  EXPECT_EQ(Tree("a add b mul 2 gt 5"), "(gt (add a (mul b 2)) 5)");
  EXPECT_EQ(Tree("a sub b sub c eq 0"), "(eq (sub (sub a b) c) 0)");
  EXPECT_EQ(Tree("(a add b) mul 2 gt 5"), "(gt (mul (add a b) 2) 5)");
  EXPECT_EQ(Tree("not a mod 2 eq 0 and b div 2 eq 1"),
            "(and (not (eq (mod a 2) 0)) (eq (div b 2) 1))");
}

TEST(ExtendedParserTest, ReadsFunctions) {
  EXPECT_EQ(Tree("contains(tolower(S),'x') or endswith(S,T)"),
            "(or (contains (tolower S) 'x') (endswith S T))");
  EXPECT_EQ(Tree("year(T) eq 2024 and length(toupper(S)) le 3"),
            "(and (eq (year T) 2024) (le (length (toupper S)) 3))");
  EXPECT_EQ(Tree("a lt b"), "(lt a b)");
  EXPECT_EQ(Tree("5 lt 6"), "(lt 5 6)");
}

TEST(ExtendedParserTest, MakesComparisonsOfWhatTheDefaultDialectCanSay) {
  EXPECT_EQ(Tree("startswith(S,'be')"), "(and (ge S 'be') (lt S 'bf'))");
  EXPECT_EQ(Tree("startswith(S,'')"), "(ge S '')");
  EXPECT_EQ(Tree("a in (1, 2L, 3.0)"), "(or (or (eq a 1) (eq a 2)) (eq a 3))");
  EXPECT_EQ(Tree("5L lt a"), "(gt a 5)");
  EXPECT_EQ(Tree("a eq 2.5"), "(eq a 2.5)");
  EXPECT_EQ(Tree("tolower(S) in ('a','b')"), "(in (tolower S) 'a' 'b')");
}

TEST(ExtendedParserTest, ComparesConditionsWithBooleans) {
  EXPECT_EQ(Tree("contains(S,'x') eq true"), "(contains S 'x')");
  EXPECT_EQ(Tree("contains(S,'x') eq false"), "(not (contains S 'x'))");
  EXPECT_EQ(Tree("true ne startswith(S,'x')"),
            "(not (and (ge S 'x') (lt S 'y')))");
  EXPECT_EQ(Tree("flag eq true"), "(eq flag true)");
}

TEST(ExtendedParserTest, TakesItsWordsAsNamesWhereAnOperandIs) {
  EXPECT_EQ(Tree("add eq 5 and in gt 5"), "(and (eq add 5) (gt in 5))");
  EXPECT_EQ(Tree("contains eq 'x'"), "(eq contains 'x')");
  EXPECT_EQ(Tree("mod mod mod eq 0"), "(eq (mod mod mod) 0)");
}

TEST(ExtendedParserTest, NamesThePlaceOfAnError) {
  const struct {
    std::string text;
    std::string message;
  } kCases[] = {
      {"concat(a,'x')",
       "Unrecognized function 'concat' at '0' in 'concat(a,'x')'."},
      {"a in ()", "Syntax error at position 7 in 'a in ()'."},
      {"a in 5", "Syntax error at position 6 in 'a in 5'."},
      {"contains(a)", "Syntax error at position 11 in 'contains(a)'."},
      {"contains(a,'b','c')",
       "Syntax error at position 19 in 'contains(a,'b','c')'."},
      {"(a,b) eq 5", "Syntax error at position 3 in '(a,b) eq 5'."},
      {"contains(a eq 5,'b')",
       "Syntax error at position 8 in 'contains(a eq 5,'b')'."},
      {"a eq b eq c", "Syntax error at position 9 in 'a eq b eq c'."},
      {"(a eq 5) add 1 eq 2",
       "Syntax error at position 12 in '(a eq 5) add 1 eq 2'."},
      {"a add 1", "Syntax error at position 7 in 'a add 1'."},
      {"a add 1 and b", "Syntax error at position 8 in 'a add 1 and b'."},
      {"a add", "Syntax error at position 5 in 'a add'."},
      {"contains(a,", "Syntax error at position 11 in 'contains(a,'."},
      {"contains(a,'b'", "Syntax error at position 14 in 'contains(a,'b''."},
  };
  for (const auto& [text, message] : kCases) {
    const auto filter = Parse(text);
    ASSERT_FALSE(filter.has_value()) << text;
    EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput) << text;
    EXPECT_EQ(filter.error().message, message);
  }
  EXPECT_EQ(Parse("(a eq 5) eq (b eq 6)").error().code,
            ErrorCode::kNotImplemented);
  EXPECT_EQ(Parse("a add null eq 5").error().code, ErrorCode::kInvalidInput);
}

TEST(ExtendedParserTest, RefusesTooDeepNesting) {
  std::string deep = "S eq 'a'";
  for (int i = 0; i < 1001; ++i) deep.replace(0, 1, "tolower(S)");
  EXPECT_EQ(Parse(deep).error().code, ErrorCode::kInvalidInput);
}

TEST(ExtendedParserTest, IsNotTheDefault) {
  for (const char* text :
       {"contains(a,'b')", "a add 1 eq 2", "year(T) eq 2024"}) {
    EXPECT_EQ(ParseFilter(text).error().code, ErrorCode::kNotImplemented)
        << text;
  }
  EXPECT_EQ(ParseFilter("a in (1)").error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(ParseFilter("a lt b").error().code, ErrorCode::kNotImplemented);
}

TEST(ExtendedParserTest, PlansBeginningsOfKeysAsRanges) {
  const auto ranges = [](std::string_view text) {
    return ToString(PlanRanges(*Parse(text)));
  };
  EXPECT_EQ(ranges("startswith(PartitionKey,'x')"), "['x'/'', 'y'/'')");
  EXPECT_EQ(ranges("PartitionKey eq 'p' and startswith(RowKey,'be')"),
            "['p'/'be', 'p'/'bf')");
  EXPECT_EQ(ranges("PartitionKey in ('a','c')"),
            "['a'/'', 'a\\0'/'') ['c'/'', 'c\\0'/'')");
  EXPECT_EQ(ranges("contains(PartitionKey,'x')"), "(-inf, +inf)");
}

}  // namespace
}  // namespace entitable
