// powers_of_five.h - powers of five, for printing doubles.

#ifndef ENTITABLE_BASE_POWERS_OF_FIVE_H_
#define ENTITABLE_BASE_POWERS_OF_FIVE_H_

#include <cstdint>

namespace entitable {

inline constexpr int kLeastPowerOfFive = -292;
inline constexpr int kGreatestPowerOfFive = 324;

// The 128 highest bits of 5^power, rounded up, as two words: the higher 64 bits
// first.
//
// The table has 10 KB that compress badly, and takes a tenth of a millisecond
// to compute.  So it is computed on first use instead of being part of the
// module.
const std::uint64_t* PowerOfFive(int power);

}  // namespace entitable

#endif  // ENTITABLE_BASE_POWERS_OF_FIVE_H_
