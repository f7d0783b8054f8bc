#include <gtest/gtest.h>

#include "base/shortest_decimal.h"
#include "simdjson.h"

namespace entitable {
namespace {

// simdjson's own table begins with this power.
constexpr int kLeastOfSimdjson = -342;

const std::uint64_t* OfSimdjson(int power) {
  return &simdjson::internal::power_of_five_128[2 * (power - kLeastOfSimdjson)];
}

TEST(PowersOfFiveTest, AreExactWhereThatIsPossible) {
  for (int power = 0; power <= 55; ++power) {
    ASSERT_EQ(PowerOfFive(power)[0], OfSimdjson(power)[0]) << power;
    ASSERT_EQ(PowerOfFive(power)[1], OfSimdjson(power)[1]) << power;
  }
}

// simdjson rounds these down.
TEST(PowersOfFiveTest, AreRoundedUpWhereTheyAreNot) {
  const auto expect_next = [](int power) {
    const std::uint64_t low = OfSimdjson(power)[1] + 1;
    ASSERT_EQ(PowerOfFive(power)[1], low) << power;
    ASSERT_EQ(PowerOfFive(power)[0], OfSimdjson(power)[0] + (low == 0))
        << power;
  };
  for (int power = 56; power <= 308; ++power) expect_next(power);
  for (int power = kLeastPowerOfFive; power <= -28; ++power) {
    expect_next(power);
  }
}

}  // namespace
}  // namespace entitable
