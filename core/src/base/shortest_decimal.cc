#include "base/shortest_decimal.h"

#include <bit>
#include <cstddef>

#include "base/powers_of_five.h"

namespace entitable {
namespace {

// NOLINTNEXTLINE(modernize-use-using): only so is it marked as an extension.
__extension__ typedef unsigned __int128 Wide;

// The product without its 128 lowest bits.  The lowest bit of the result is set
// if any removed bit is set, except for what rounding up the power may have
// added.
std::uint64_t RoundToOdd(const std::uint64_t* power, std::uint64_t number) {
  const Wide product =
      Wide{power[0]} * number + ((Wide{power[1]} * number) >> 64);
  const auto low = static_cast<std::uint64_t>(product);
  return static_cast<std::uint64_t>(product >> 64) |
         static_cast<std::uint64_t>(low > 1);
}

constexpr int kFractionBits = 52;
constexpr int kLeastExponent = -1074;

}  // namespace

// The names are those of the article.  All except c, q, s and k are four times
// the article's values.
ShortestDecimal FindShortestDecimal(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t fraction =
      bits & ((std::uint64_t{1} << kFractionBits) - 1);
  const auto stored = static_cast<int>(bits >> kFractionBits);
  const std::uint64_t c =
      stored == 0 ? fraction : fraction | std::uint64_t{1} << kFractionBits;
  const int q = kLeastExponent + (stored == 0 ? 0 : stored - 1);

  // Below a power of two, the next double is half as far away.
  const bool is_closer_below = fraction == 0 && stored > 1;

  // floor(log10(2^q)); if the next double below is closer, of 3/4 of it.
  const int k = (q * 1262611 - (is_closer_below ? 524031 : 0)) >> 22;
  // The exponent that puts the point of a product behind its upper 128 bits: q
  // + floor(log2(10^-k)) + 1.
  const int h = q + ((-k * 1741647) >> 19) + 1;

  const std::uint64_t* const power = PowerOfFive(-k);
  const std::uint64_t v = RoundToOdd(power, (4 * c) << h);
  // For an even c, the interval includes the decimals halfway to the neighbors.
  const std::uint64_t is_odd = c & 1;
  const std::uint64_t lower =
      RoundToOdd(power, (4 * c - 2 + is_closer_below) << h) + is_odd;
  const std::uint64_t upper = RoundToOdd(power, (4 * c + 2) << h) - is_odd;

  const std::uint64_t s = v / 4;
  if (s >= 10) {
    const std::uint64_t shorter = s / 10;
    const bool is_down_inside = lower <= 40 * shorter;
    const bool is_up_inside = 40 * shorter + 40 <= upper;
    if (is_down_inside != is_up_inside) return {shorter + is_up_inside, k + 1};
  }
  const bool is_down_inside = lower <= 4 * s;
  const bool is_up_inside = 4 * s + 4 <= upper;
  if (is_down_inside != is_up_inside) return {s + is_up_inside, k};
  const std::uint64_t middle = 4 * s + 2;
  const bool is_up = v > middle || (v == middle && s % 2 != 0);
  return {s + is_up, k};
}

}  // namespace entitable
