#include "query/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

namespace entitable {
namespace {

TEST(LexerTest, SplitsAFilterIntoTokens) {
  const struct {
    std::string text;
    std::string printed;
  } kCases[] = {
      {"", ""},
      {" \t ", ""},
      {"S eq 'apple'", "S eq 'apple'"},
      {"  S\teq   'apple' ", "S eq 'apple'"},
      {"(S eq 'a')and(not(B))", "( S eq 'a' ) and ( not ( B ) )"},
      {"startswith(S,'a')", "startswith ( S , 'a' )"},
      {"_a1 eq É2", "_a1 eq É2"},
      {"datetime eq guid", "datetime eq guid"},
      {"true false null NaN", "true false null NaN"},
      {"datetime '2020'", "datetime '2020'"},
  };
  for (const auto& [text, printed] : kCases) {
    SCOPED_TRACE(text);
    const auto list = Tokenize(text);
    ASSERT_TRUE(list.has_value()) << list.error().message;
    EXPECT_EQ(ToString(list->tokens), printed);
  }
}

TEST(LexerTest, ReadsEveryFormOfLiteral) {
  const struct {
    std::string text;
    std::string printed;
  } kCases[] = {
      {"''", "''"},
      {"'O''Neil'", "'O''Neil'"},
      {"''''", "''''"},
      {"'a\"b (c) eq'", "'a\"b (c) eq'"},
      {"'\xF0\x9F\x98\x80'", "'\xF0\x9F\x98\x80'"},
      {"0", "0"},
      {"-5", "-5"},
      {"-0", "0"},
      {"007", "7"},
      {"2147483647", "2147483647"},
      {"-2147483648", "-2147483648"},
      {"5L", "5L"},
      {"5l", "5L"},
      {"-9223372036854775808L", "-9223372036854775808L"},
      {"9223372036854775807L", "9223372036854775807L"},
      {"1.5", "1.5"},
      {"-1.5e3", "-1500.0"},
      {"3D", "3.0"},
      {"3d", "3.0"},
      {"3.", "3.0"},
      {"1.5d", "1.5"},
      {"1E+5", "100000.0"},
      {"25e-1D", "2.5"},
      {"-INF", "-Infinity"},
      {"-Infinity", "-Infinity"},
      {"datetime'2020-01-01T00:00:00Z'", "datetime'2020-01-01T00:00:00Z'"},
      {"datetime'2020-01-01T00:00:00.1234567Z'",
       "datetime'2020-01-01T00:00:00.1234567Z'"},
      {"datetime'2020-01-01T00:00:00'", "datetime'2020-01-01T00:00:00Z'"},
      {"guid'A455C695-DF98-5678-aaaa-81d3367e5a34'",
       "guid'a455c695-df98-5678-aaaa-81d3367e5a34'"},
      {"X'0aFF'", "X'0aff'"},
      {"x'0AFF'", "X'0aff'"},
      {"binary'0aff'", "X'0aff'"},
      {"X''", "X''"},
  };
  for (const auto& [text, printed] : kCases) {
    SCOPED_TRACE(text);
    const auto list = Tokenize(text);
    ASSERT_TRUE(list.has_value()) << list.error().message;
    ASSERT_EQ(list->tokens.size(), 2u);
    EXPECT_EQ(list->tokens.front().kind, TokenKind::kLiteral);
    EXPECT_EQ(ToString(list->tokens), printed);
  }
}

TEST(LexerTest, RecordsWhereEachTokenIs) {
  const auto list = Tokenize(" É eq 'x'");

  ASSERT_TRUE(list.has_value());
  ASSERT_EQ(list->tokens.size(), 4u);
  EXPECT_EQ(list->tokens[0].begin, 1u);
  EXPECT_EQ(list->tokens[0].end, 3u);
  EXPECT_EQ(list->tokens[2].text, "'x'");
  EXPECT_EQ(list->tokens[3].kind, TokenKind::kEnd);
  EXPECT_EQ(list->tokens[3].end, 10u);
}

TEST(LexerTest, KeepsItsTextsWhenMovedOn) {
  auto first = Tokenize("S eq 'O''Neil'");
  ASSERT_TRUE(first.has_value());

  const TokenList second = *std::move(first);

  EXPECT_EQ(second.filter, "S eq 'O''Neil'");
  EXPECT_EQ(second.tokens[0].text, "S");
  EXPECT_EQ(second.tokens[2].literal.string(), "O'Neil");
}

TEST(LexerTest, CountsPositionsOfSyntaxErrorsInUtf16Units) {
  const struct {
    std::string text;
    std::size_t position;
  } kCases[] = {
      {"property1 eq 1'invalid'", 23},
      {"S = 'x'", 3},
      {"S eq \"x\"", 6},
      {"S eq 'x", 7},
      {"S eq 'x''", 9},
      {"S eq datetime'x", 15},
      {"S eq'x'", 7},
      {"N eq 5and", 9},
      {"N eq 1.2.3", 10},
      {"N eq 1e", 7},
      {"N eq 5m", 7},
      {"N eq -", 6},
      {"N eq +5", 6},
      {"N eq .5", 6},
      {"-N eq 5", 2},
      {"N eq 'a''b'5", 12},
      {"T eq DateTime'2020-01-01'", 25},
      {"a/b eq 5", 2},
      {"a-b eq 5", 3},
      {"a.b eq 5", 2},
      {"\xC2\xAA eq 5", 1},               // U+00AA is no XML name.
      {"a\xF0\x9F\x98\x80 eq 5", 3},      // Nor is anything above U+FFFF.
      {"S eq '\xF0\x9F\x98\x80' =", 11},  // There the string has two units.
  };
  for (const auto& [text, position] : kCases) {
    SCOPED_TRACE(text);
    const auto list = Tokenize(text);
    ASSERT_FALSE(list.has_value());
    EXPECT_EQ(list.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(list.error().message, "Syntax error at position " +
                                        std::to_string(position) + " in '" +
                                        text + "'.");
  }
}

TEST(LexerTest, NamesTheTypeOfAnUnreadableLiteral) {
  const struct {
    std::string literal;
    std::string type;
  } kCases[] = {
      {"1498179600055", "Int32"},
      {"2147483648", "Int32"},
      {"-2147483649", "Int32"},
      {"9223372036854775808L", "Int64"},
      {"1e999", "Double"},
      {"datetime'nope'", "DateTime"},
      {"datetime'2020-02-30T00:00:00Z'", "DateTime"},
      {"datetime''", "DateTime"},
      {"guid'nope'", "Guid"},
      {"guid'{00000000-0000-0000-0000-000000000005}'", "Guid"},
      {"X'012'", "Binary"},
      {"binary'0g'", "Binary"},
      {"x''''", "Binary"},
  };
  for (const auto& [literal, type] : kCases) {
    SCOPED_TRACE(literal);
    const std::string filter = "É eq " + literal + " ";
    const auto list = Tokenize(filter);
    ASSERT_FALSE(list.has_value());
    EXPECT_EQ(list.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(list.error().message, "Unrecognized 'Edm." + type +
                                        "' literal '" + literal +
                                        "' at '5' in '" + filter + "'.");
  }
}

TEST(LexerTest, RefusesNamesOverTheirLength) {
  const std::string longest(255, 'a');

  EXPECT_TRUE(Tokenize(longest).has_value());
  EXPECT_FALSE(Tokenize(longest + "a").has_value());
}

TEST(LexerTest, RefusesFiltersOverTheirBudgetOrNotInUtf8) {
  const std::string longest =
      "S eq '" + std::string(kMaxFilterBytes - 7, 'a') + "'";
  ASSERT_EQ(longest.size(), kMaxFilterBytes);
  EXPECT_TRUE(Tokenize(longest).has_value());

  const std::pair<std::string, std::string> cases[] = {
      {longest + " ", "The filter is longer than 32,768 bytes of UTF-8."},
      {"S eq '\xC3'", "One of the request inputs is not valid."}};
  for (const auto& [text, message] : cases) {
    const auto list = Tokenize(text);
    ASSERT_FALSE(list.has_value());
    EXPECT_EQ(list.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(list.error().message, message);
  }
}

}  // namespace
}  // namespace entitable
