// shortest_decimal.h - finds the decimal with the fewest digits that reads back
// as a double.

#ifndef ENTITABLE_BASE_SHORTEST_DECIMAL_H_
#define ENTITABLE_BASE_SHORTEST_DECIMAL_H_

#include <cstdint>

namespace entitable {

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
