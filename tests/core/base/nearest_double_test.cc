#include "base/nearest_double.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "support/random.h"

namespace entitable {
namespace {

// strtod() of the C library is another implementation, so no error is shared.
double OfLibrary(const std::string& digits, std::int64_t power) {
  return std::strtod((digits + "e" + std::to_string(power)).c_str(), nullptr);
}

TEST(NearestDoubleTest, IsWhatTheLibraryOfCReads) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 20'000; ++i) {
    std::string digits = std::to_string(random());
    for (auto more = random() % 40; more > 0; --more) {
      digits += static_cast<char>('0' + random() % 10);
    }
    const auto power = static_cast<std::int64_t>(random() % 720) - 380;
    ASSERT_EQ(NearestDouble(digits, power), OfLibrary(digits, power))
        << digits << "e" << power;
  }
}

// 2^53 + 1 lies between two doubles, and so does half of the least above zero.
TEST(NearestDoubleTest, TakesTheEvenOneOfTwo) {
  EXPECT_EQ(NearestDouble("9007199254740993", 0), 9007199254740992);
  EXPECT_EQ(NearestDouble("9007199254740995", 0), 9007199254740996);
  EXPECT_EQ(NearestDouble("90071992547409930000000000000000000001", -22),
            9007199254740994);
  EXPECT_EQ(NearestDouble("90071992547409929999999999999999999999", -22),
            9007199254740992);
}

TEST(NearestDoubleTest, LooksAtDigitsHoweverFarBehind) {
  const std::string zeros(2'000, '0');
  EXPECT_EQ(NearestDouble("9007199254740993" + zeros, -2'000),
            9007199254740992);
  EXPECT_EQ(NearestDouble("9007199254740993" + zeros + "1", -2'001),
            9007199254740994);
}

TEST(NearestDoubleTest, GoesFromZeroToInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  constexpr double kGreatest = std::numeric_limits<double>::max();
  EXPECT_EQ(NearestDouble("", 0), 0);
  EXPECT_EQ(NearestDouble("000", 400), 0);
  EXPECT_EQ(NearestDouble("24703282292062327", -340), 0);
  EXPECT_EQ(NearestDouble("24703282292062328", -340), kLeast);
  EXPECT_EQ(NearestDouble("1", -1'000'000'000'000), 0);
  EXPECT_EQ(NearestDouble("17976931348623158", 292), kGreatest);
  EXPECT_EQ(NearestDouble("17976931348623159", 292), kInfinity);
  EXPECT_EQ(NearestDouble("1", 1'000'000'000'000), kInfinity);
}

// From 2^53 to 2^54 every other whole number is a double.
TEST(NearestDoubleTest, TellsTheMiddleOfTwoFromWhatIsBesideIt) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 5'000; ++i) {
    const std::uint64_t low =
        (std::uint64_t{1} << 53) + 2 * (random() % (std::uint64_t{1} << 52));
    const std::string middle = std::to_string(low + 1);
    const auto below = static_cast<double>(low);
    const auto above = static_cast<double>(low + 2);
    ASSERT_EQ(NearestDouble(middle, 0), low % 4 == 0 ? below : above) << middle;
    ASSERT_EQ(NearestDouble(middle + "00000001", -8), above) << middle;
    ASSERT_EQ(NearestDouble(std::to_string(low) + "99999999", -8), below)
        << middle;
  }
}

}  // namespace
}  // namespace entitable
