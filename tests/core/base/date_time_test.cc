#include "base/date_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "support/random.h"

namespace entitable {
namespace {

// Ticks of 1970-01-01, as .NET's DateTime.UnixEpoch has them.
constexpr std::int64_t kUnixEpochTicks = 621'355'968'000'000'000;

// Source: data model, 1.5.6, and conformance cases 191 to 200.
TEST(DateTimeTest, ReadsAndWritesAsTheServiceDoes) {
  const struct {
    std::string_view text;
    std::string_view canonical;
  } kCases[] = {
      {"2020-02-29T12:34:56.1234567Z", "2020-02-29T12:34:56.1234567Z"},
      {"2020-02-29T12:34:56.1200000Z", "2020-02-29T12:34:56.12Z"},
      {"2020-02-29T12:34:56.0000000Z", "2020-02-29T12:34:56Z"},
      {"2020-02-29T12:34:56.0000001Z", "2020-02-29T12:34:56.0000001Z"},
      {"2020-02-29T12:34:56", "2020-02-29T12:34:56Z"},
      {"2020-02-29T12:34:56+02:00", "2020-02-29T10:34:56Z"},
      {"2020-02-29T12:34:56-00:30", "2020-02-29T13:04:56Z"},
      {"2020-02-29T23:34:56.5-01:00", "2020-03-01T00:34:56.5Z"},
      {"2020-01-01T13:59:00+14:00", "2019-12-31T23:59:00Z"},
      {"2020-02-29T12:34", "2020-02-29T12:34:00Z"},
      {"2020-02-29T12:34Z", "2020-02-29T12:34:00Z"},
      {"2020-02-29", "2020-02-29T00:00:00Z"},
      {"2020-02-29Z", "2020-02-29T00:00:00Z"},
      {"2020-02-29T12:34:56.12345678Z", "2020-02-29T12:34:56.1234567Z"},
      {"2020-02-29T12:34:56.99999999999999999999999",
       "2020-02-29T12:34:56.9999999Z"},
      {"1601-01-01T00:00:00Z", "1601-01-01T00:00:00Z"},
      {"1600-12-31T23:59:59.9999999Z", "1600-12-31T23:59:59.9999999Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
      {"0001-01-01T01:00:00+01:00", "0001-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.9999999Z", "9999-12-31T23:59:59.9999999Z"},
      {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
  };
  for (const auto& [text, canonical] : kCases) {
    SCOPED_TRACE(text);
    const auto time = DateTime::Parse(text);
    ASSERT_TRUE(time.has_value());
    EXPECT_EQ(time->ToString(), canonical);
  }
}

TEST(DateTimeTest, RefusesTextThatIsNoDate) {
  const std::string_view kTexts[] = {
      "",
      "tomorrow",
      "2021-02-29T00:00:00Z",  // no leap year
      "1900-02-29T00:00:00Z",
      "2020-04-31",
      "2020-00-01",
      "2020-13-01",
      "2020-01-00",
      "2020-01-32",
      "0000-01-01T00:00:00Z",
      "2020-01-01T24:00:00Z",
      "2020-01-01T23:60:00Z",
      "2020-01-01T23:59:60Z",
      "2020-01-01T",
      "2020-01-01T12",
      "2020-01-01T12:",
      "2020-01-01T12:00:",
      "2020-01-01T12:00:00.",
      "2020-01-01T12:00:00.Z",
      "2020-01-01T12:00.5Z",
      "2020-01-01 12:00:00Z",
      "2020-01-01t12:00:00Z",
      "2020-01-01T12:00:00z",
      "2020-01-01T12:00:00ZZ",
      "2020-01-01T12:00:00Z ",
      " 2020-01-01T12:00:00Z",
      "2020-01-01T12:00:00+02",
      "2020-01-01T12:00:00+0200",
      "2020-01-01T12:00:00+14:01",
      "2020-01-01T12:00:00+02:60",
      "2020-1-1",
      "20200101",
      "12020-01-01",
      "-2020-01-01",
      "+020-01-01",
      "0001-01-01T00:00:00+00:01",    // before the year 1
      "9999-12-31T23:59:59.9-00:01",  // after the year 9999
  };
  for (const std::string_view text : kTexts) {
    EXPECT_FALSE(DateTime::Parse(text).has_value()) << text;
  }
}

TEST(DateTimeTest, CountsTicksFromTheYearOne) {
  EXPECT_EQ(DateTime::Parse("0001-01-01")->ticks, 0);
  EXPECT_EQ(DateTime::Parse("1970-01-01")->ticks, kUnixEpochTicks);
  EXPECT_EQ(DateTime::Parse("1601-01-01"), kMinDateTime);
  EXPECT_EQ(DateTime::Parse("9999-12-31T23:59:59.9999999"), kMaxDateTime);
}

// Source: conformance cases 198 and 199.
TEST(DateTimeTest, WritesTheFormOfTheRangeError) {
  EXPECT_EQ(DateTime::Parse("1600-12-31T23:59:59.9999999Z")->ToErrorString(),
            "12/31/1600 23:59:59");
  EXPECT_EQ(DateTime{0}.ToErrorString(), "01/01/0001 00:00:00");
}

TEST(DateTimeTest, WalksThroughEveryDayOfTheCalendar) {
  // Counted by hand: each day is the one after the last.  Months end at each
  // remainder of the step.
  const int step = IsWholeMatrix() ? 1 : 11;
  int days = 0;
  int year = 1;
  int month = 1;
  int day = 1;
  for (std::int64_t ticks = 0; ticks <= kMaxDateTime.ticks;
       ticks += 864'000'000'000) {
    if (days++ % step == 0) {
      char text[32];
      std::snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z", year, month,
                    day);
      ASSERT_EQ(DateTime{ticks}.ToString(), text);
      ASSERT_EQ(DateTime::Parse(text), DateTime{ticks});
    }

    const bool is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    const int kDays[] = {
        31, is_leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (++day > kDays[month - 1]) {
      day = 1;
      if (++month > 12) {
        month = 1;
        ++year;
      }
    }
  }
  EXPECT_EQ(year, 10'000);
}

TEST(DateTimeTest, ReadsBackAnyTick) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  std::uniform_int_distribution<std::int64_t> any(kMinDateTime.ticks,
                                                  kMaxDateTime.ticks);
  for (int i = 0; i < 200'000; ++i) {
    const DateTime time{any(random)};
    ASSERT_EQ(DateTime::Parse(time.ToString()), time) << time.ticks;
  }
}

TEST(DateTimeTest, OrdersTextsOfOneLengthAsTheirTicks) {
  EXPECT_LT(*DateTime::Parse("2020-01-01"), *DateTime::Parse("2020-01-02"));
  EXPECT_GT(*DateTime::Parse("2020-01-01T00:00:00.0000001"),
            *DateTime::Parse("2020-01-01"));
}

TEST(DateTimeTest, TakesAHostClockInMilliseconds) {
  const auto at = [](double ms) {
    return DateTime::FromUnixMilliseconds(ms).ToString();
  };

  EXPECT_EQ(at(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(at(1'504'099'232'668), "2017-08-30T13:20:32.668Z");
  EXPECT_EQ(at(1'504'099'232'668.5), "2017-08-30T13:20:32.6685Z");
  EXPECT_EQ(at(-1), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(at(-0.5), "1969-12-31T23:59:59.9995Z");
}

TEST(DateTimeTest, BringsAClockOutOfRangeToTheNearestEnd) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto at = DateTime::FromUnixMilliseconds;

  EXPECT_EQ(at(-infinity), kMinDateTime);
  EXPECT_EQ(at(std::nan("")), kMinDateTime);
  EXPECT_EQ(at(-1e18), kMinDateTime);
  EXPECT_EQ(at(-11'644'473'600'001), kMinDateTime);
  EXPECT_EQ(at(-11'644'473'600'000), kMinDateTime);
  EXPECT_EQ(at(253'402'300'799'999).ToString(), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(at(253'402'300'800'000), kMaxDateTime);
  EXPECT_EQ(at(1e300), kMaxDateTime);
  EXPECT_EQ(at(infinity), kMaxDateTime);
}

}  // namespace
}  // namespace entitable
