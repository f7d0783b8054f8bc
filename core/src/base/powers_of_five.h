// powers_of_five.h - the table by which a double becomes a decimal.

#ifndef ENTITABLE_BASE_POWERS_OF_FIVE_H_
#define ENTITABLE_BASE_POWERS_OF_FIVE_H_

#include <cstdint>

namespace entitable {

inline constexpr int kLeastPowerOfFive = -292;
inline constexpr int kGreatestPowerOfFive = 324;

// The 128 highest bits of 5^power, rounded up: two words, the higher 64 bits
// first.
//
// The table is 10 KB that hardly compress, and takes a tenth of a millisecond
// to make.  So the module does not carry it, but makes it at the first use.
const std::uint64_t* PowerOfFive(int power);

}  // namespace entitable

#endif  // ENTITABLE_BASE_POWERS_OF_FIVE_H_
