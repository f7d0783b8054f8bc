// powers_of_five.h - the table by which simdjson turns decimals into doubles.

#ifndef ENTITABLE_BASE_POWERS_OF_FIVE_H_
#define ENTITABLE_BASE_POWERS_OF_FIVE_H_

#include <cstddef>
#include <cstdint>

namespace entitable {

// From 5^-342 to 5^308: beyond, a double is zero or infinite.
inline constexpr int kLeastPowerOfFive = -342;
inline constexpr int kGreatestPowerOfFive = 308;
inline constexpr std::size_t kPowersOfFiveWords =
    2 * (kGreatestPowerOfFive - kLeastPowerOfFive + 1);

// Writes the 128 highest bits of each power, the higher 64 first, rounded as
// the published table has them.
//
// 10 KB that hardly compress, and a tenth of a millisecond to make: so the
// module makes them, and does not carry them.
void MakePowersOfFive(std::uint64_t* words);

}  // namespace entitable

#endif  // ENTITABLE_BASE_POWERS_OF_FIVE_H_
