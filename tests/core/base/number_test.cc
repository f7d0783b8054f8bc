#include "base/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "base/ascii.h"
#include "support/random.h"

namespace entitable {
namespace {

std::size_t RunsOf(std::size_t whole) {
  return WantedRuns("ENTITABLE_RANDOM_NUMBERS", whole);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string Print(double value) {
  std::string text;
  AppendDouble(value, text);
  return text;
}

TEST(NumberTest, ReadsIntegersUpToTheirEnds) {
  EXPECT_EQ(ParseInt32("0"), 0);
  EXPECT_EQ(ParseInt32("-0"), 0);
  EXPECT_EQ(ParseInt32("-31"), -31);
  EXPECT_EQ(ParseInt32("0000000000000000000000007"), 7);
  EXPECT_EQ(ParseInt32("2147483647"), 2147483647);
  EXPECT_EQ(ParseInt32("-2147483648"), std::numeric_limits<int>::min());
  EXPECT_EQ(ParseInt64("9223372036854775807"),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(ParseInt64("-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
}

// Source: conformance cases 178, 179, 182, 183, 185, 186.
TEST(NumberTest, RefusesIntegersOutOfRangeOrForm) {
  for (const std::string_view text :
       {"2147483648", "-2147483649", "4294967296", "18446744073709551617"}) {
    EXPECT_FALSE(ParseInt32(text).has_value()) << text;
  }
  for (const std::string_view text :
       {"9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "92233720368547758070", "99999999999999999999999999"}) {
    EXPECT_FALSE(ParseInt64(text).has_value()) << text;
  }
  for (const std::string_view text :
       {"", "-", "+1", "--1", "1.5", "-3.1", "5.0", "1e3", "0x1", " 1", "1 ",
        "1-", "abc", "1L"}) {
    EXPECT_FALSE(ParseInt32(text).has_value()) << text;
    EXPECT_FALSE(ParseInt64(text).has_value()) << text;
  }
}

// Source: data model, 1.5.3, and conformance cases 159 to 175.
TEST(NumberTest, PrintsDoublesInTheNotationOfTheService) {
  const struct {
    double value;
    std::string_view text;
  } kCases[] = {
      {3, "3.0"},
      {1, "1.0"},
      {-1, "-1.0"},
      {31, "31.0"},
      {1e3, "1000.0"},
      {0.1, "0.1"},
      {-2.5, "-2.5"},
      {0.5, "0.5"},
      {123.456, "123.456"},
      {2147483648.0, "2147483648.0"},
      {0.0, "0.0"},
      {-0.0, "0.0"},
      {1e14, "100000000000000.0"},
      {123456789012345, "123456789012345.0"},
      {1e15, "1E+15"},
      {1e16, "1E+16"},
      {1.5e15, "1.5E+15"},
      {-1e15, "-1E+15"},
      {1e100, "1E+100"},
      {1e-100, "1E-100"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {0.00001, "1E-05"},
      {0.000012, "1.2E-05"},
      {1.7976931348623157e308, "1.7976931348623157E+308"},
      {-1.7976931348623157e308, "-1.7976931348623157E+308"},
      // More than 15 digits: fixed up to an exponent of 16.
      {1234567890123456.0, "1234567890123456.0"},
      {12345678901234568.0, "12345678901234568.0"},
      {123456789012345680.0, "1.2345678901234568E+17"},
      {9007199254740991.0, "9007199254740991.0"},
      // Of these simdjson alone prints 17 digits, and so would have a form that
      // the service has not.
      {1.229e-74, "1.229E-74"},
      {3.14041763966e18, "3.14041763966E+18"},
      {6.01757031817049e16, "6.01757031817049E+16"},
      {kInfinity, "Infinity"},
      {-kInfinity, "-Infinity"},
      {std::nan(""), "NaN"},
      {-std::nan("1"), "NaN"},
  };
  for (const auto& [value, text] : kCases) {
    EXPECT_EQ(Print(value), text);
  }
}

// These have more digits in .NET's text; the spec asks for equal numbers only.
TEST(NumberTest, PrintsNumbersEqualToTheRecordedTexts) {
  for (const char* const text : {"4.94065645841247E-324", "0.33333333333333331",
                                 "9.2233720368547758E+18"}) {
    const double value = std::strtod(text, nullptr);
    EXPECT_EQ(ParseDouble(Print(value)), value) << text;
    EXPECT_EQ(ParseDouble(text), value) << text;
  }
}

TEST(NumberTest, ReadsEveryFormOfADouble) {
  const struct {
    std::string_view text;
    double value;
  } kCases[] = {
      {"3", 3},
      {"3.", 3},
      {"3.0", 3},
      {"-3.5", -3.5},
      {"1e3", 1000},
      {"1E3", 1000},
      {"1E+5", 1e5},
      {"1.e3", 1000},
      {"-1.5e-3", -0.0015},
      {"007.50", 7.5},
      {"1e00000000000000000000000000003", 1000},
      {"1e-00000000000000000000000000003", 0.001},
      {"0e99999999999999999999999999999", 0},
      {"1e-99999999999999999999999999999", 0},
      {"1e-400", 0},
      {"5e-324", 5e-324},
      {"2.4703282292062328e-324", 5e-324},  // just over half of it
      {"2.2250738585072011e-308", 2.2250738585072011e-308},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"1.797693134862315e308", 1.797693134862315e308},
      {"1.7976931348623158e308", 1.7976931348623157e308},  // rounds down
      {"9007199254740993", 9007199254740992},              // half way, to even
      {"9007199254740993.00000000000000000001", 9007199254740994},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
  };
  for (const auto& [text, value] : kCases) {
    const auto parsed = ParseDouble(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(*parsed, value) << text;
  }
}

TEST(NumberTest, ReadsNumbersOfThousandsOfDigits) {
  EXPECT_EQ(ParseDouble("1" + std::string(300, '0')), 1e300);
  EXPECT_EQ(ParseDouble(std::string(5'000, '0') + "1"), 1);
  EXPECT_EQ(ParseDouble("0." + std::string(5'000, '0') + "1"), 0);
  EXPECT_EQ(ParseDouble("0." + std::string(5'000, '0') + "1e5001"), 1);
  EXPECT_EQ(ParseDouble("1" + std::string(5'000, '0') + "e-5000"), 1);
  EXPECT_EQ(ParseDouble("0." + std::string(5'000, '3')), 1.0 / 3);
  EXPECT_FALSE(ParseDouble("1" + std::string(5'000, '0')).has_value());
}

// Source: conformance cases 168 and 169; the special values have no digits.
TEST(NumberTest, RefusesDoublesThatOverflowOrAreNone) {
  for (const std::string_view text : {"1.797693134862316e308",
                                      "-1.797693134862316e308",
                                      "1e309",
                                      "1e400",
                                      "13e7705",
                                      "1e99999999999999999999999999",
                                      "",
                                      "-",
                                      ".",
                                      ".5",
                                      "-.5",
                                      "+1",
                                      "1e",
                                      "1e+",
                                      "1e-",
                                      "e5",
                                      "1.5e",
                                      "1..5",
                                      "1.5.5",
                                      "1e5.5",
                                      "1e5e5",
                                      "0x10",
                                      "1,5",
                                      " 1",
                                      "1 ",
                                      "1\n",
                                      "1d",
                                      "1D",
                                      "NaN",
                                      "nan",
                                      "Infinity",
                                      "-Infinity",
                                      "INF",
                                      "inf",
                                      "--1",
                                      "-+1",
                                      "1_000"}) {
    EXPECT_FALSE(ParseDouble(text).has_value()) << text;
  }
  EXPECT_FALSE(ParseDouble(std::string_view("1\0", 2)).has_value());
}

TEST(NumberTest, ReadsBackRandomBitPatterns) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  std::string text;
  const std::size_t runs = RunsOf(1'000'000);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    text.clear();
    AppendDouble(value, text);
    ASSERT_EQ(ParseDouble(text), value) << text;
  }
}

// strtod() of the C library is another implementation, so no error is shared.
TEST(NumberTest, ReadsAsTheLibraryOfCDoes) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const std::size_t runs = RunsOf(200'000);
  for (std::size_t i = 0; i < runs; ++i) {
    std::string text = std::to_string(random());
    text.insert(random() % text.size() + 1, ".");
    text += "e" + std::to_string(static_cast<int>(random() % 700) - 350);
    const double expected = std::strtod(text.c_str(), nullptr);
    const auto parsed = ParseDouble(text);
    if (std::isinf(expected)) {
      ASSERT_FALSE(parsed.has_value()) << text;
    } else {
      ASSERT_EQ(parsed, expected) << text;
    }
  }
}

TEST(NumberTest, PrintsNoMoreThanFifteenDigitsWhereTheseAreEnough) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const std::size_t runs = RunsOf(500'000);
  for (std::size_t i = 0; i < runs; ++i) {
    const std::uint64_t digits = random() % 1'000'000'000'000'000;
    const int exponent = static_cast<int>(random() % 600) - 300;
    const double value = std::strtod(
        (std::to_string(digits) + "e" + std::to_string(exponent)).c_str(),
        nullptr);
    const std::string text = Print(value);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    const std::string significand = text.substr(0, text.find('E'));
    const std::size_t zeros = significand.find_first_not_of("0.");
    ASSERT_LE(std::ranges::count_if(
                  significand.substr(std::min(zeros, significand.size())),
                  IsAsciiDigit),
              16)  // With the zero behind the point of a whole number.
        << text;
  }
}

TEST(NumberTest, PrintsADoubleUnlikeAnInteger) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const std::size_t runs = RunsOf(200'000);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto value = static_cast<double>(random() >> random() % 64);
    const std::string text = Print(value);
    ASSERT_NE(text.find_first_of(".E"), std::string::npos) << text;
    ASSERT_EQ(ParseDouble(text), value) << text;
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
  }
}

}  // namespace
}  // namespace entitable
