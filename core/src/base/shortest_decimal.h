// shortest_decimal.h - finds the decimal with the fewest digits that reads back
// as a double.

#ifndef ENTITABLE_BASE_SHORTEST_DECIMAL_H_
#define ENTITABLE_BASE_SHORTEST_DECIMAL_H_

#include <cstdint>

namespace entitable {

// -------------------------------------------------------------- powers of five

// Powers of five, for printing doubles.

inline constexpr int kLeastPowerOfFive = -292;
inline constexpr int kGreatestPowerOfFive = 324;

// The 128 highest bits of 5^power, rounded up, as two words: the higher 64 bits
// first.
//
// The table has 10 KB that compress badly, and takes a tenth of a millisecond
// to compute.  So it is computed on first use instead of being part of the
// module.
const std::uint64_t* PowerOfFive(int power);

// ------------------------------------------------------------ shortest decimal

// digits * 10^power.  The digits may end in zeros.
struct ShortestDecimal {
  std::uint64_t digits;
  int power;
};

// For a finite number above zero.  Among the shortest decimals, the nearest.
// Source: Raffaello Giulietti, "The Schubfach way to render doubles".
ShortestDecimal FindShortestDecimal(double value);

}  // namespace entitable

#endif  // ENTITABLE_BASE_SHORTEST_DECIMAL_H_
