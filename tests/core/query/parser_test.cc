#include "query/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "query/lexer.h"

namespace entitable {
namespace {

constexpr std::string_view kInvalid = "One of the request inputs is not valid.";

std::string Repeated(std::size_t count, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result.append(text);
  return result;
}

// The tree of the filter, or why there is none.
std::string Print(std::string_view text) {
  const auto filter = ParseFilter(text);
  return filter ? filter->ToString() : "failed: " + filter.error().message;
}

TEST(ParserTest, ReadsConditions) {
  const struct {
    std::string text;
    std::string printed;
  } kCases[] = {
      {"", "true"},
      {" \t", "true"},
      {"true", "true"},
      {"(false)", "false"},
      {"B", "B"},
      {"((B))", "B"},
      {"not B", "(not B)"},
      {"S eq 'a'", "(eq S 'a')"},
      {"S ne ''", "(ne S '')"},
      {"N gt 5", "(gt N 5)"},
      {"N ge 5L", "(ge N 5L)"},
      {"N lt 5.5", "(lt N 5.5)"},
      {"N le -INF", "(le N -Infinity)"},
      {"N eq NaN", "(eq N NaN)"},
      {"N eq INF", "(eq N Infinity)"},
      {"B eq true", "(eq B true)"},
      {"B eq True", "(eq B true)"},
      {"B eq TRUE", "(eq B true)"},
      {"fAlSe ne B", "(ne B false)"},
      {"True", "true"},
      {"S eq 'O''Neil'", "(eq S 'O''Neil')"},
      {"(P) eq (5)", "(eq P 5)"},
      {"((P))eq((5))", "(eq P 5)"},
      {"( P ) eq ( 5 )", "(eq P 5)"},
      {"'x' eq PartitionKey", "(eq PartitionKey 'x')"},
      {"5 ne P", "(ne P 5)"},
      {"5 lt P", "(gt P 5)"},
      {"5 le P", "(ge P 5)"},
      {"5 gt P", "(lt P 5)"},
      {"(5) ge (P)", "(le P 5)"},
      {"(true) eq B", "(eq B true)"},
  };
  for (const auto& [text, printed] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Print(text), printed);
  }
}

TEST(ParserTest, BindsComparisonThenNotThenAndThenOr) {
  const struct {
    std::string text;
    std::string printed;
  } kCases[] = {
      {"a eq 1 or b eq 2 and c eq 3", "(or (eq a 1) (and (eq b 2) (eq c 3)))"},
      {"a eq 1 and b eq 2 or c eq 3", "(or (and (eq a 1) (eq b 2)) (eq c 3))"},
      {"(a eq 1 or b eq 2) and c eq 3",
       "(and (or (eq a 1) (eq b 2)) (eq c 3))"},
      {"not a eq 1 and b eq 2", "(and (not (eq a 1)) (eq b 2))"},
      {"not not a eq 1", "(not (not (eq a 1)))"},
      {"not (a) eq 1", "(not (eq a 1))"},
      {"not(a eq 1 or b)", "(not (or (eq a 1) b))"},
      {"a and b and c", "(and (and a b) c)"},
      {"a and (b and c)", "(and a (and b c))"},
      {"a or not b and not (c or d)", "(or a (and (not b) (not (or c d))))"},
      {"(a eq 1)and(b eq 2)or(c)", "(or (and (eq a 1) (eq b 2)) c)"},
      {"a and S eq 'x'", "(and a (eq S 'x'))"},
  };
  for (const auto& [text, printed] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Print(text), printed);
  }
}

TEST(ParserTest, LetsPropertiesHaveTheNamesOfKeywords) {
  const struct {
    std::string text;
    std::string printed;
  } kCases[] = {
      {"eq eq 5", "(eq eq 5)"},
      {"and eq 5 and or eq 6", "(and (eq and 5) (eq or 6))"},
      {"and", "and"},
      {"or or or", "(or or or)"},
      {"guid eq guid'00000000-0000-0000-0000-000000000005'",
       "(eq guid guid'00000000-0000-0000-0000-000000000005')"},
      {"datetime eq 5", "(eq datetime 5)"},
      {"X eq X'05'", "(eq X X'05')"},
      {"add eq 5", "(eq add 5)"},
      {"5 eq not", "(eq not 5)"},
      {"not", "not"},
      {"(not)", "not"},
      {"not not", "(not not)"},
      {"not eq 5", "(eq not 5)"},
      {"not eq (5)", "(eq not 5)"},
      {"not eq eq 5", "(not (eq eq 5))"},
      {"not and B", "(and not B)"},
      {"not and", "(not and)"},
      {"not (eq)", "(not eq)"},
      {"not add", "(not add)"},
      {"(not eq)", "(not eq)"},
  };
  for (const auto& [text, printed] : kCases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Print(text), printed);
  }
}

TEST(ParserTest, PointsJustPastAFaultOfSyntax) {
  const struct {
    std::string text;
    std::size_t position;
  } kCases[] = {
      {"aaa bbb ccc", 7},
      {"property1 eq 1'invalid'", 23},
      {"S eq", 4},
      {"eq 'x'", 6},
      {"S EQ 'x'", 4},
      {"S eq 'x' And T", 12},
      {"(S eq 'x'", 9},
      {"S eq 'x')", 9},
      {"S eq 'x' and", 12},
      {"S eq 'x' and )", 14},
      {"and S eq 'x'", 5},
      {"()", 2},
      {"a eq 1 eq 2", 9},
      {"not (", 5},
      {"S, T", 2},
      {"T eq datetime '2020-01-01'", 26},
      {"S eq N 5", 8},  // Before the fault of meaning in S eq N.
      {"S eq null garbage", 17},
      {"and(S)", 4},
      {"not (S eq 'x') not B", 18},
  };
  for (const auto& [text, position] : kCases) {
    SCOPED_TRACE(text);
    const auto filter = ParseFilter(text);
    ASSERT_FALSE(filter.has_value()) << filter->ToString();
    EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(filter.error().message, "Syntax error at position " +
                                          std::to_string(position) + " in '" +
                                          text + "'.");
  }
}

// Rows 369 to 391 of the conformance cases, and their like.
TEST(ParserTest, RefusesWhatTheServiceRefuses) {
  constexpr auto kInput = ErrorCode::kInvalidInput;
  constexpr auto kUnsupported = ErrorCode::kNotImplemented;
  constexpr std::string_view kNotImplementedText =
      "The requested operation is not implemented on the specified resource.";
  const struct {
    std::string text;
    ErrorCode code;
    std::string message_start;
  } kCases[] = {
      {"S eq null", kInput, std::string(kInvalid)},
      {"S ne null", kInput, std::string(kInvalid)},
      {"null eq S", kInput, std::string(kInvalid)},
      {"S lt null", kInput,
       "The operator 'LessThan' is not supported for the 'null' literal; only "
       "equality checks are supported."},
      {"S le null", kInput, "The operator 'LessThanOrEqual' is not supported"},
      {"S gt null", kInput, "The operator 'GreaterThan' is not supported"},
      {"S ge null", kInput,
       "The operator 'GreaterThanOrEqual' is not supported"},
      {"null lt S", kInput, "The operator 'LessThan' is not supported"},
      {"5 eq null", kInput, std::string(kInvalid)},
      {"null gt null", kInput, "The operator 'GreaterThan' is not supported"},
      {"(A eq 1) eq null", kInput, std::string(kInvalid)},
      {"aaa bbb ccc", kInput, "Syntax error at position 7 in 'aaa bbb ccc'."},
      {"S eq", kInput, "Syntax error"},
      {"eq 'x'", kInput, "Syntax error"},
      {"S = 'x'", kInput, "Syntax error"},
      {"S EQ 'x'", kInput, "Syntax error"},
      {"S eq \"x\"", kInput, "Syntax error"},
      {"(S eq 'x'", kInput, "Syntax error"},
      {"S eq 'x' and", kInput, "Syntax error"},
      {"S eq 'x", kInput, "Syntax error"},
      {"N eq 1498179600055", kInput,
       "Unrecognized 'Edm.Int32' literal '1498179600055'"},
      {"T eq datetime'nope'", kInput, "Unrecognized 'Edm.DateTime' literal"},
      {"G eq guid'nope'", kInput, "Unrecognized 'Edm.Guid' literal"},
      {"X eq X'012'", kInput, "Unrecognized 'Edm.Binary' literal"},
      {"1 eq 2", kUnsupported, std::string(kNotImplementedText)},
      {"1 eq true", kUnsupported, std::string(kNotImplementedText)},
      {"S eq N", kUnsupported, std::string(kNotImplementedText)},
      {"(S) eq (N)", kUnsupported, std::string(kNotImplementedText)},
      {"startswith(S,'a')", kUnsupported, std::string(kNotImplementedText)},
      {"substringof('a',S)", kUnsupported, std::string(kNotImplementedText)},
      {"length(S) gt 1", kUnsupported, std::string(kNotImplementedText)},
      {"S eq tolower('A')", kUnsupported, std::string(kNotImplementedText)},
      {"N add 1 eq 6", kUnsupported, std::string(kNotImplementedText)},
      {"6 eq N mod 2", kUnsupported, std::string(kNotImplementedText)},
      {"(A eq 1) eq true", kUnsupported, std::string(kNotImplementedText)},
      {"5 eq (A eq 1)", kUnsupported, std::string(kNotImplementedText)},
      {"(not A) eq true", kUnsupported, std::string(kNotImplementedText)},
      {"not (A eq 1) eq true", kUnsupported, std::string(kNotImplementedText)},
      {"'x'", kInput, std::string(kInvalid)},
      {"5", kInput, std::string(kInvalid)},
      {"null", kInput, std::string(kInvalid)},
      {"not 5", kInput, std::string(kInvalid)},
      {"S eq 'x' and 5", kInput, std::string(kInvalid)},
      {"(5) or B", kInput, std::string(kInvalid)},
      {"S eq N and T eq null", kUnsupported, std::string(kNotImplementedText)},
  };
  for (const auto& [text, code, message_start] : kCases) {
    SCOPED_TRACE(text);
    const auto filter = ParseFilter(text);
    ASSERT_FALSE(filter.has_value()) << filter->ToString();
    EXPECT_EQ(filter.error().code, code);
    EXPECT_TRUE(filter.error().message.starts_with(message_start))
        << filter.error().message;
  }
}

TEST(ParserTest, TakesNestingUpToItsBudget) {
  const auto nested = [](std::size_t depth) {
    return Repeated(depth, "(") + "B" + Repeated(depth, ")");
  };
  const auto negated = [](std::size_t depth) {
    return Repeated(depth, "not ") + "B";
  };

  EXPECT_EQ(Print(nested(100)), "B");
  EXPECT_EQ(Print(nested(kMaxFilterDepth)), "B");
  EXPECT_EQ(Print(negated(kMaxFilterDepth)),
            Repeated(kMaxFilterDepth, "(not ") + "B" +
                Repeated(kMaxFilterDepth, ")"));
  for (const std::string& text :
       {nested(kMaxFilterDepth + 1), negated(kMaxFilterDepth + 1),
        Repeated(kMaxFilterBytes, "(")}) {
    const auto filter = ParseFilter(text);
    ASSERT_FALSE(filter.has_value());
    EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(filter.error().message,
              "The filter nests more than 1,000 parentheses and 'not' in one "
              "another.");
  }
}

TEST(ParserTest, CountsOnlyNestingThatIsOpenAtOnce) {
  const std::string text = "(B)" + Repeated(kMaxFilterDepth, " or (not B)");

  EXPECT_TRUE(ParseFilter(text).has_value());
}

TEST(ParserTest, TakesAsManyComparisonsAsFit) {
  const std::string text = "N eq 0" + Repeated(3200, " or N eq 1");
  ASSERT_LE(text.size(), kMaxFilterBytes);

  const auto filter = ParseFilter(text);

  ASSERT_TRUE(filter.has_value());
  EXPECT_EQ(filter->nodes().size(), 6401u);
}

TEST(ParserTest, RefusesFiltersOverTheirLength) {
  const auto filter = ParseFilter(std::string(kMaxFilterBytes + 1, ' '));

  ASSERT_FALSE(filter.has_value());
  EXPECT_EQ(filter.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(filter.error().message,
            "The filter is longer than 32,768 bytes of UTF-8.");
}

TEST(FilterTest, OwnsItsTexts) {
  std::string text = "Name eq 'x''y' and Bytes eq X'6162'";
  auto parsed = ParseFilter(text);
  ASSERT_TRUE(parsed.has_value());
  text.assign(text.size(), '?');

  const Filter filter = *std::move(parsed);

  EXPECT_EQ(filter.ToString(), "(and (eq Name 'x''y') (eq Bytes X'6162'))");
}

TEST(FilterTest, PutsChildrenBeforeTheirParents) {
  const auto filter = ParseFilter("(A or not B) and C eq 1");

  ASSERT_TRUE(filter.has_value());
  std::vector<FilterNodeKind> kinds;
  for (const FilterNode& node : filter->nodes()) kinds.push_back(node.kind);
  EXPECT_EQ(kinds,
            (std::vector{FilterNodeKind::kProperty, FilterNodeKind::kProperty,
                         FilterNodeKind::kNot, FilterNodeKind::kOr,
                         FilterNodeKind::kCompare, FilterNodeKind::kAnd}));
}

}  // namespace
}  // namespace entitable
