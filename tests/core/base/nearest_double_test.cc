// The ways from a text to a double that take long integers, by ParseDouble().

#include "base/nearest_double.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "base/number.h"
#include "support/random.h"

namespace entitable {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t RunsOf(std::size_t whole) {
  return WantedRuns("ENTITABLE_RANDOM_NUMBERS", whole);
}

// The middle between a double and the next one above: all of its digits, and
// its exponent.  A long double holds it, which has at least eleven bits more.
std::pair<std::string, std::string> MiddleAbove(double value) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  const long double next = std::nextafter(value, kInfinity);
  char buffer[1'000];
  const auto end = std::to_chars(buffer, std::end(buffer), (value + next) / 2,
                                 std::chars_format::scientific, 800);
  const std::string_view text(buffer, end.ptr);
  const std::string_view digits = text.substr(0, text.find('e'));
  return {std::string(digits.substr(0, digits.find_last_not_of('0') + 1)),
          std::string(text.substr(digits.size()))};
}

// 2^1024 less half of the last step: the least number that is none.
constexpr std::string_view kLeastTooGreat =
    "1797693134862315807937289714053034150799341327100378269361737789804449"
    "6829276475094664901797758720709633028641669288791094655554785194040263"
    "0657488671505820681908902000708383676273854845817711531764475730270069"
    "8555713669596228429148198608349364752927190741684443655107043427115596"
    "99508093042880177904174497792";

TEST(NearestDoubleTest, OverflowsFromTheMiddleOn) {
  constexpr double kMax = std::numeric_limits<double>::max();
  std::string below(kLeastTooGreat);
  --below.back();

  EXPECT_FALSE(ParseDouble(kLeastTooGreat).has_value());
  EXPECT_FALSE(ParseDouble(std::string(kLeastTooGreat) + ".0").has_value());
  EXPECT_EQ(ParseDouble(below), kMax);
  EXPECT_EQ(ParseDouble(below + "." + std::string(2'000, '9')), kMax);
  for (const std::string_view text : {"3e308", "5e308", "9.99e308", "99e307"}) {
    EXPECT_FALSE(ParseDouble(text).has_value()) << text;
  }
}

TEST(NearestDoubleTest, RoundsHalvesOfTheLeastDouble) {
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  const auto read_middle_above = [](double value) {
    const auto [digits, exponent] = MiddleAbove(value);
    return ParseDouble(digits + exponent);
  };

  ASSERT_EQ(MiddleAbove(0).second, "e-324");  // 2^-1075
  EXPECT_EQ(read_middle_above(0), 0);
  EXPECT_EQ(read_middle_above(kLeast), 2 * kLeast);
  EXPECT_EQ(read_middle_above(2 * kLeast), 2 * kLeast);
}

// A middle itself goes to the even double; a digit behind all of the others, to
// the greater one; and what is less by as little, to the other one.
TEST(NearestDoubleTest, DecidesHalvesByTheLastOfManyDigits) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const std::size_t runs = RunsOf(5'000);
  for (std::size_t i = 0; i < runs; ++i) {
    std::uint64_t bits = random() >> 1;
    if (i % 4 == 0) bits >>= 11 + random() % 53;           // Below 2^-1022.
    if (i % 4 == 1) bits |= (std::uint64_t{1} << 52) - 1;  // Carries.
    // Of all middles, this one has the most digits: 768, and the point.
    if (i == 0) bits = (std::uint64_t{1} << 53) - 2;
    const auto value = std::bit_cast<double>(bits);
    const double next = std::bit_cast<double>(bits + 1);
    if (!std::isfinite(next)) continue;
    const double even = bits % 2 == 0 ? value : next;
    const auto [digits, exponent] = MiddleAbove(value);
    ASSERT_LE(digits.size(), 769);
    ASSERT_TRUE(i > 0 || digits.size() == 769);
    std::string less = digits;
    --less.back();
    const std::string zeros(900, '0');
    const std::string nines(900, '9');

    ASSERT_EQ(ParseDouble(digits + exponent), even) << value;
    ASSERT_EQ(ParseDouble(digits + zeros + exponent), even) << value;
    ASSERT_EQ(ParseDouble(digits + zeros + "1" + exponent), next) << value;
    ASSERT_EQ(ParseDouble(less + nines + exponent), value) << value;
  }
}

TEST(NearestDoubleTest, ReadsSeventeenDigitsAndMoreOfRandomBitPatterns) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  const std::size_t runs = RunsOf(100'000);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    char text[64];
    const int digits = 16 + static_cast<int>(random() % 20);
    const auto end = std::to_chars(text, std::end(text), value,
                                   std::chars_format::scientific, digits);
    ASSERT_EQ(ParseDouble(std::string_view(text, end.ptr)), value) << text;
  }
}

}  // namespace
}  // namespace entitable
