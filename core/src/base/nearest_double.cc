#include "base/nearest_double.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <limits>

#include "base/natural.h"

namespace entitable {
namespace {

// The middle between two doubles has 767 digits at most; of what comes behind
// those that are kept it only matters whether there is anything.
constexpr std::size_t kKeptDigits = 800;

// Without an exponent, beyond these many digits before the point, or zeros
// behind it, all is infinite or zero.
constexpr std::int64_t kLargestMagnitude = 310;
constexpr std::int64_t kSmallestMagnitude = -330;

constexpr int kFractionBits = 52;
constexpr int kLeastExponent = -1074;

constexpr auto kInfinity =
    std::bit_cast<std::uint64_t>(std::numeric_limits<double>::infinity());

// number * 10^power.
struct ExactDecimal {
  Natural number;
  std::int64_t power;
};

ExactDecimal Exactly(std::string_view digits, std::int64_t power) {
  ExactDecimal decimal{Natural(0), power};
  for (const char c : digits.substr(0, kKeptDigits)) {
    decimal.number.MultiplyAdd(10, static_cast<std::uint32_t>(c - '0'));
  }
  if (digits.size() > kKeptDigits) {
    decimal.power += static_cast<std::int64_t>(digits.size() - kKeptDigits) - 1;
    const bool is_more =
        digits.find_first_not_of('0', kKeptDigits) != std::string_view::npos;
    decimal.number.MultiplyAdd(10, is_more ? 1 : 0);
  }
  return decimal;
}

// Compared with the middle between the double of these bits and the next one.
std::strong_ordering CompareWithMiddleAbove(ExactDecimal decimal,
                                            std::uint64_t bits) {
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << kFractionBits) - 1);
  std::int64_t exponent = kLeastExponent - 1;
  if (const auto stored = static_cast<int>(bits >> kFractionBits)) {
    mantissa |= std::uint64_t{1} << kFractionBits;
    exponent += stored - 1;
  }
  Natural middle(2 * mantissa + 1);  // Times 2^exponent.

  const std::int64_t power = decimal.power;
  Natural& scaled = power > 0 ? decimal.number : middle;
  scaled.MultiplyByPowerOfFive(
      static_cast<std::size_t>(power > 0 ? power : -power));
  const std::int64_t shift = exponent - power;
  Natural& shifted = shift > 0 ? middle : decimal.number;
  shifted.ShiftLeft(static_cast<std::size_t>(shift > 0 ? shift : -shift));
  return decimal.number <=> middle;
}

bool RoundsUp(const ExactDecimal& decimal, std::uint64_t bits) {
  const auto order = CompareWithMiddleAbove(decimal, bits);
  return order > 0 || (order == 0 && bits % 2 != 0);
}

// Wrong by a few of the last bits.
double Roughly(std::string_view digits, std::int64_t power) {
  double value = 0;
  for (const char c : digits.substr(0, 17)) value = value * 10 + (c - '0');
  power += static_cast<std::int64_t>(digits.size() -
                                     std::min<std::size_t>(digits.size(), 17));
  for (; power >= 16; power -= 16) value *= 1e16;
  for (; power > 0; --power) value *= 10;
  for (; power <= -16; power += 16) value /= 1e16;
  for (; power < 0; ++power) value /= 10;
  return value;
}

}  // namespace

double NearestDouble(std::string_view digits, std::int64_t power) {
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  const auto magnitude = static_cast<std::int64_t>(digits.size()) + power;
  if (digits.empty() || magnitude < kSmallestMagnitude) return 0;
  if (magnitude > kLargestMagnitude) return std::bit_cast<double>(kInfinity);

  const ExactDecimal decimal = Exactly(digits, power);
  auto bits = std::bit_cast<std::uint64_t>(Roughly(digits, power));
  while (bits < kInfinity && RoundsUp(decimal, bits)) ++bits;
  while (bits > 0 && !RoundsUp(decimal, bits - 1)) --bits;
  return std::bit_cast<double>(bits);
}

}  // namespace entitable
