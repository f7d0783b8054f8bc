// Most numbers in texts are short, and take one multiplication or division of
// doubles.  The others are computed with integers of any needed length, because
// a table of powers of ten would be larger than all of this code.

#include "base/nearest_double.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <limits>

#include "base/big_uint.h"

namespace entitable {

std::string_view WithoutLeadingZeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

std::uint64_t WholeOf(std::string_view digits) {
  std::uint64_t whole = 0;
  for (const char c : digits) {
    whole = whole * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return whole;
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Doubles are exact up to these, so that one multiplication or division of two
// of them rounds as it should.
constexpr std::size_t kExactDigits = 15;
constexpr int kExactPower = 22;

// Of at most kExactPower.
double PowerOfTen(std::size_t power) {
  double product = 1;
  for (; power > 0; --power) product *= 10;
  return product;
}

// The middle between two doubles has at most 768 digits.  A number that begins
// with as many is compared with it by these, and by whether more follow.
constexpr std::size_t kComparedDigits = 768;

void AppendDigits(std::string_view digits, BigUint& number) {
  constexpr std::size_t kAtOnce = 9;
  while (!digits.empty()) {
    const std::string_view few = digits.substr(0, kAtOnce);
    std::uint32_t factor = 1;
    for (std::size_t i = 0; i < few.size(); ++i) factor *= 10;
    number.MultiplyAndAdd(factor, static_cast<std::uint32_t>(WholeOf(few)));
    digits.remove_prefix(few.size());
  }
}

// At least bits * 2^(exponent - 63), and below the next.  The highest bit is
// set, and the lowest as well if anything is left out.
struct BinaryNumber {
  std::uint64_t bits;
  int exponent;
};

// number * 10^power is number * 5^power * 2^power, and only the power of five
// takes work.  Before divisions, the number gets so many bits that 64 are left.
// `is_cut` tells whether the true number is a little greater.
BinaryNumber ToBinary(BigUint& number, int power, bool is_cut) {
  constexpr std::uint32_t kMuch = std::uint32_t{1} << 31;
  constexpr std::uint32_t kFiveTimesFits = 0xFFFFFFFF / 5;
  int exponent = power;
  if (power < 0) {
    // 5^3 is below 2^7.
    const auto wanted = static_cast<std::size_t>(66 - power * 7 / 3);
    for (; number.bit_count() < wanted; exponent -= 31) {
      number.MultiplyAndAdd(kMuch, 0);
    }
  }
  for (int left = std::abs(power); left > 0;) {
    std::uint32_t factor = 1;
    for (; left > 0 && factor <= kFiveTimesFits; --left) factor *= 5;
    if (power > 0) {
      number.MultiplyAndAdd(factor, 0);
    } else if (number.Divide(factor) != 0) {
      is_cut = true;
    }
  }
  const std::size_t count = number.bit_count();
  for (std::size_t skipped = 64; skipped < count && !is_cut; skipped += 64) {
    is_cut = number.BitsFromTop(skipped) != 0;
  }
  return {number.BitsFromTop(0) | static_cast<std::uint64_t>(is_cut),
          exponent + static_cast<int>(count) - 1};
}

// Rounds to the nearest double, and half way to the even one.  The bits of
// doubles count on from one to the next, from 0 to infinity, so rounding up may
// carry into the exponent.
double Round(const BinaryNumber& number) {
  if (number.exponent >= std::numeric_limits<double>::max_exponent) {
    return kInfinity;
  }
  constexpr int kLeastNormal = -1022;
  constexpr int kPrecision = 53;
  const int missing = std::max(kLeastNormal - number.exponent, 0);
  const int dropped = 64 - kPrecision + missing;
  if (dropped > 64) return 0;
  // The quarters of what one bit of the double is worth.
  const std::uint64_t below = (std::uint64_t{1} << (dropped - 2)) - 1;
  const std::uint64_t quarters =
      number.bits >> (dropped - 2) |
      static_cast<std::uint64_t>((number.bits & below) != 0);
  const std::uint64_t whole = quarters / 4;
  const bool is_up = quarters % 4 + whole % 2 > 2;
  const auto steps =
      static_cast<std::uint64_t>(std::max(number.exponent - kLeastNormal, 0));
  return std::bit_cast<double>((steps << (kPrecision - 1)) + whole + is_up);
}

}  // namespace

double FindNearestDouble(const DecimalText& text) {
  const std::string_view whole = WithoutLeadingZeros(text.whole);
  const std::string_view fraction =
      whole.empty() ? WithoutLeadingZeros(text.fraction) : text.fraction;
  const std::size_t count = whole.size() + fraction.size();
  std::int64_t power =
      text.exponent - static_cast<std::int64_t>(text.fraction.size());
  if (count <= kExactDigits && std::abs(power) <= kExactPower) {
    const double digits =
        static_cast<double>(WholeOf(whole)) * PowerOfTen(fraction.size()) +
        static_cast<double>(WholeOf(fraction));
    const double scale = PowerOfTen(static_cast<std::size_t>(std::abs(power)));
    return power < 0 ? digits / scale : digits * scale;
  }

  // The number is below 10^end, and not below a tenth of that.
  const std::int64_t end = power + static_cast<std::int64_t>(count);
  if (count == 0 || end < -323) return 0;
  if (end > 309) return kInfinity;
  BigUint number;
  bool is_cut = false;
  std::size_t left = kComparedDigits;
  for (std::string_view part : {whole, fraction}) {
    const std::string_view kept = part.substr(0, left);
    AppendDigits(kept, number);
    left -= kept.size();
    part.remove_prefix(kept.size());
    power += static_cast<std::int64_t>(part.size());
    is_cut = is_cut || !WithoutLeadingZeros(part).empty();
  }
  return Round(ToBinary(number, static_cast<int>(power), is_cut));
}

}  // namespace entitable
