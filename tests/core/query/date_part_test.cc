#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "query/expression.h"

namespace entitable {
namespace {

TEST(DatePartTest, HasTheNamesOfTheFunctions) {
  EXPECT_EQ(DatePartNamed("year"), DatePart::kYear);
  EXPECT_EQ(DatePartNamed("month"), DatePart::kMonth);
  EXPECT_EQ(DatePartNamed("day"), DatePart::kDay);
  EXPECT_EQ(DatePartNamed("hour"), DatePart::kHour);
  EXPECT_EQ(DatePartNamed("minute"), DatePart::kMinute);
  EXPECT_EQ(DatePartNamed("second"), DatePart::kSecond);
  for (const std::string_view name : {"", "Year", "years", "week"}) {
    SCOPED_TRACE(name);
    EXPECT_EQ(DatePartNamed(name), std::nullopt);
  }
}

// The text of a time shows its parts.
TEST(DatePartTest, IsTheNumberInTheTextOfTheTime) {
  for (const std::string_view text :
       {"0001-01-01T00:00:00Z", "1601-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00Z", "2000-02-29T12:34:56.9999999Z",
        "2023-02-28T23:59:59.1Z", "2024-03-01T00:00:00Z",
        "2100-12-31T01:02:03Z", "9999-12-31T23:59:59.9999999Z"}) {
    SCOPED_TRACE(text);
    const std::optional<DateTime> time = DateTime::Parse(text);
    ASSERT_TRUE(time.has_value());
    const auto number = [&](std::size_t at, std::size_t digits) {
      return std::stoi(std::string(text.substr(at, digits)));
    };
    EXPECT_EQ(PartOf(*time, DatePart::kYear), number(0, 4));
    EXPECT_EQ(PartOf(*time, DatePart::kMonth), number(5, 2));
    EXPECT_EQ(PartOf(*time, DatePart::kDay), number(8, 2));
    EXPECT_EQ(PartOf(*time, DatePart::kHour), number(11, 2));
    EXPECT_EQ(PartOf(*time, DatePart::kMinute), number(14, 2));
    EXPECT_EQ(PartOf(*time, DatePart::kSecond), number(17, 2));
  }
}

TEST(DatePartTest, IsThatOfTheTimeInUtc) {
  const auto time = DateTime::Parse("2020-01-01T00:30:00+01:00");
  ASSERT_TRUE(time.has_value());
  EXPECT_EQ(PartOf(*time, DatePart::kYear), 2019);
  EXPECT_EQ(PartOf(*time, DatePart::kHour), 23);
}

}  // namespace
}  // namespace entitable
