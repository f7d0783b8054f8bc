#include "model/etag.h"

#include <gtest/gtest.h>

namespace entitable {
namespace {

DateTime Time(std::string_view text) { return *DateTime::Parse(text); }

// Source: data model, 1.6, and payloads, 4.5.
TEST(EtagTest, IsTheTimestampWithItsColonsEncoded) {
  EXPECT_EQ(FormatEtag(Time("2017-08-30T13:20:32.6680946Z")),
            R"(W/"datetime'2017-08-30T13%3A20%3A32.6680946Z'")");
  EXPECT_EQ(FormatEtag(Time("2024-01-02T03:04:06Z")),
            R"(W/"datetime'2024-01-02T03%3A04%3A06Z'")");
}

TEST(EtagTest, LetsTheStarMatchAnyEntity) {
  const auto condition = EtagCondition::Parse("*");

  ASSERT_TRUE(condition.has_value());
  EXPECT_TRUE(condition->is_any());
  EXPECT_TRUE(condition->Matches(Time("2024-01-02T03:04:06Z")));
}

// Source: operations, 2.11.4.
TEST(EtagTest, MatchesAWeakTagLetterForLetter) {
  const DateTime time = Time("2024-01-02T03:04:05.6789Z");
  const struct {
    std::string_view header;
    bool matches;
  } kCases[] = {
      {R"(W/"datetime'2024-01-02T03%3A04%3A05.6789Z'")", true},
      {R"(w/"datetime'2024-01-02T03%3A04%3A05.6789Z'")", true},
      {R"(W/"datetime'2024-01-02T03:04:05.6789Z'")", true},
      {R"(W/"datetime'2024-01-02T03%3a04%3a05.6789Z'")", false},
      {R"(W/"datetime'2024-01-02T03%3A04%3A05.678900Z'")", false},
      {R"(W/"datetime'2024-01-02T03%3A04%3A05.6788Z'")", false},
      {R"(W/"DATETIME'2024-01-02T03%3A04%3A05.6789Z'")", false},
      {R"(W/"datetime'2024-01-02T03%3A04%3A05.6789Z")", false},
      {R"(W/"x")", false},
      {R"(W/"*")", false},
      {R"(W/"")", false},
  };
  for (const auto& [header, matches] : kCases) {
    SCOPED_TRACE(header);
    const auto condition = EtagCondition::Parse(header);
    ASSERT_TRUE(condition.has_value());
    EXPECT_FALSE(condition->is_any());
    EXPECT_EQ(condition->Matches(time), matches);
  }
}

TEST(EtagTest, MatchesTheTagItFormats) {
  const DateTime time = Time("2017-08-30T13:20:32.6680946Z");
  const auto condition = EtagCondition::Parse(FormatEtag(time));

  ASSERT_TRUE(condition.has_value());
  EXPECT_TRUE(condition->Matches(time));
  EXPECT_FALSE(condition->Matches({time.ticks + 1}));
}

TEST(EtagTest, RefusesWhatIsNotOneWeakTag) {
  for (const std::string_view header :
       {"", R"("datetime'2024-01-02T03%3A04%3A05Z'")", "datetime'x'", "x", "W/",
        R"(W/")", R"(W/"a)", "W/a", "W/'a'", R"(W/"a"b)", R"( W/"a")",
        R"(W/"a" )", R"(W/"a",W/"b")", R"(W/"a", W/"b")", "*,*", "* ", "**",
        R"(W/"a",*)", R"("*")"}) {
    SCOPED_TRACE(header);
    const auto condition = EtagCondition::Parse(header);
    ASSERT_FALSE(condition.has_value());
    EXPECT_EQ(condition.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(condition.error().message,
              "The etag value '" + std::string(header) +
                  "' specified in one of the request headers is not valid. "
                  "Please make sure only one etag value is specified and is "
                  "valid.");
  }
}

}  // namespace
}  // namespace entitable
