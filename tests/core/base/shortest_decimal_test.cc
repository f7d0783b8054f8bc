#include "base/shortest_decimal.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "support/random.h"

namespace entitable {
namespace {

std::string TextOf(double value) {
  auto [digits, power] = FindShortestDecimal(value);
  for (; digits % 10 == 0; digits /= 10) ++power;
  std::string text = std::to_string(digits);
  const int exponent = power + static_cast<int>(text.size()) - 1;
  if (text.size() > 1) text.insert(1, ".");
  const std::string size = std::to_string(std::abs(exponent));
  return text + (exponent < 0 ? "e-" : "e+") + (size.size() < 2 ? "0" : "") +
         size;
}

// std::to_chars() is another implementation of the same rule.
std::string TextOfLibrary(double value) {
  char text[64];
  const auto end =
      std::to_chars(text, std::end(text), value, std::chars_format::scientific);
  return {text, end.ptr};
}

TEST(ShortestDecimalTest, IsWhatTheLibraryPrints) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 500'000; ++i) {
    const double value = std::abs(std::bit_cast<double>(random()));
    if (!std::isfinite(value) || value == 0) continue;
    ASSERT_EQ(TextOf(value), TextOfLibrary(value));
  }
}

TEST(ShortestDecimalTest, IsSoAroundEveryPowerOfTwo) {
  for (std::uint64_t exponent = 0; exponent < 2047; ++exponent) {
    for (std::uint64_t beside = 0; beside < 21; ++beside) {
      const auto value = std::bit_cast<double>((exponent << 52) + beside - 10);
      if (!std::isfinite(value) || !(value > 0)) continue;
      ASSERT_EQ(TextOf(value), TextOfLibrary(value));
    }
  }
}

TEST(ShortestDecimalTest, IsSoForNumbersOfFewDigits) {
  SCOPED_TRACE(TestSeed());
  std::mt19937_64 random(TestSeed());
  for (int i = 0; i < 200'000; ++i) {
    const auto whole = static_cast<double>(random() >> random() % 64);
    const double value =
        whole / std::pow(10, static_cast<double>(random() % 30));
    if (value == 0) continue;
    ASSERT_EQ(TextOf(value), TextOfLibrary(value));
  }
}

}  // namespace
}  // namespace entitable
