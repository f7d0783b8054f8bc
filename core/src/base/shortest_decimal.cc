#include "base/shortest_decimal.h"

#include <array>
#include <bit>
#include <cstddef>

#include "base/big_uint.h"

namespace entitable {

// -------------------------------------------------------------- powers of five

namespace {

// Up to this power, 128 bits are enough for the exact value.
constexpr int kGreatestExact = 55;

// 5^-292 has 679 zeros behind the binary point, followed by 128 bits and some
// reserve.
constexpr std::size_t kPowerBits = 930;

using Words =
    std::array<std::uint64_t,
               std::size_t{2} * (kGreatestPowerOfFive - kLeastPowerOfFive + 1)>;

std::uint64_t* WordsOf(Words& words, int power) {
  return &words[2 * static_cast<std::size_t>(power - kLeastPowerOfFive)];
}

void Put(Words& words, int power, const BigUint& number) {
  std::uint64_t* const at = WordsOf(words, power);
  at[0] = number.BitsFromTop(0);
  at[1] = number.BitsFromTop(64);
  const bool is_exact = 0 <= power && power <= kGreatestExact;
  if (is_exact) return;
  if (++at[1] == 0) ++at[0];
}

// Upwards, 5^324 has 753 bits.  Downwards, 2^930 is divided by five again and
// again.  Each division drops less than one, and even the last number has 252
// bits, so the 128 bits at its top are right.
Words MakeWords() {
  Words words;
  BigUint number = BigUint::PowerOfTwo(0);
  for (int power = 0; power <= kGreatestPowerOfFive; ++power) {
    Put(words, power, number);
    number.MultiplyAndAdd(5, 0);
  }
  number = BigUint::PowerOfTwo(kPowerBits);
  for (int power = -1; power >= kLeastPowerOfFive; --power) {
    number.Divide(5);
    Put(words, power, number);
  }
  return words;
}

}  // namespace

const std::uint64_t* PowerOfFive(int power) {
  static Words words = MakeWords();
  return WordsOf(words, power);
}

// ------------------------------------------------------------ shortest decimal

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

// Which decimals read back as the value?  Those in an interval around it that
// goes halfway to its neighbors:
//
//   next below    lower        value        upper      next above
//   ----|-----------(------------|------------)------------|----
//
// Let 10^k be the greatest power of ten that is not longer than the interval.
// Then a multiple of 10^k lies in it, and the nearest ones are s and s + 1.
// If a multiple of 10^(k+1) does, too, it has one digit less, and there is only
// one of these.  So at most four candidates have to be compared.
//
// The comparisons are exact although 10^-k has 128 bits only.  Products are cut
// to integers, and whatever was cut off is kept as a lowest bit that is set
// ("round to odd").  Multiplying by four first keeps two bits more, so that the
// halves at both ends are integers.
//
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
