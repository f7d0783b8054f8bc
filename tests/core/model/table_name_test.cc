#include <gtest/gtest.h>

#include "model/names.h"

namespace entitable {
namespace {

TEST(TableNameTest, KeepsTheCaseButFoldsItForLookup) {
  const auto name = TableName::Parse("Orders");

  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->text(), "Orders");
  EXPECT_EQ(name->folded(), "orders");
}

// Conformance cases 1, 5, 7 and 17.
TEST(TableNameTest, AcceptsNamesThatKeepEveryRule) {
  const std::string kNames[] = {"abc", std::string(63, 'a'), "A1b2C3", "Table",
                                "Zz9"};
  for (const std::string& text : kNames) {
    const auto name = TableName::Parse(text);
    ASSERT_TRUE(name.has_value()) << text;
    EXPECT_EQ(name->text(), text);
  }
}

// Conformance cases 2 to 4, 6 and 8 to 16; the last two break two rules.
TEST(TableNameTest, RejectsNamesThatBreakARule) {
  constexpr auto kLength = ErrorCode::kOutOfRangeInput;
  constexpr auto kCharacters = ErrorCode::kInvalidResourceName;
  const struct {
    std::string text;
    ErrorCode code;
  } kCases[] = {
      {"ab", kLength},
      {"a", kLength},
      {"", kLength},
      {std::string(64, 'a'), kLength},
      {"1abc", kCharacters},
      {"a-b-c", kCharacters},
      {"a_bc", kCharacters},
      {"a bc", kCharacters},
      {"abc\xC3\xA9", kCharacters},
      {"abc\xEF\xBC\x91", kCharacters},
      {"$abc", kCharacters},
      {"$MetricsTransactionsTable", kCharacters},
      {std::string("ab\0c", 4), kCharacters},
      {"tables", ErrorCode::kInvalidInput},
      {"TABLES", ErrorCode::kInvalidInput},
      {"-", kCharacters},
      {std::string(64, '_'), kCharacters},
  };
  for (const auto& [text, code] : kCases) {
    SCOPED_TRACE(text);
    const auto name = TableName::Parse(text);
    ASSERT_FALSE(name.has_value());
    EXPECT_EQ(name.error().code, code);
  }
}

// Source: data model, 1.2.  The missing letter is the service's own.
TEST(TableNameTest, FailsWithTheTextsOfTheService) {
  EXPECT_EQ(TableName::Parse("ab").error().message,
            "The specified resource name length is not within the permissible "
            "limits.");
  EXPECT_EQ(TableName::Parse("1abc").error().message,
            "The specifed resource name contains invalid characters.");
  EXPECT_EQ(TableName::Parse("tables").error().message,
            "One of the request inputs is not valid.");
}

TEST(TableNameTest, FoldsAnyTextForLookup) {
  EXPECT_EQ(FoldTableName("ORDERS"), "orders");
  EXPECT_EQ(FoldTableName("a-B \xC3\x89"), "a-b \xC3\x89");
}

}  // namespace
}  // namespace entitable
