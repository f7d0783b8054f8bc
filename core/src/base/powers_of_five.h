// powers_of_five.h - the tables that turn decimals into doubles and back.

#ifndef ENTITABLE_BASE_POWERS_OF_FIVE_H_
#define ENTITABLE_BASE_POWERS_OF_FIVE_H_

#include <cstddef>
#include <cstdint>

namespace entitable {

// simdjson's table: beyond, a double is zero or infinite.
inline constexpr int kLeastPowerOfFive = -342;
inline constexpr int kGreatestPowerOfFive = 308;
inline constexpr std::size_t kPowersOfFiveWords =
    std::size_t{2} * (kGreatestPowerOfFive - kLeastPowerOfFive + 1);

enum class RoundPowers : std::uint8_t { kAsSimdjson, kUp };

// Writes the 128 highest bits of each power from `least` (below zero) to
// `greatest`, the higher 64 first.
//
// 10 KB that hardly compress, and a tenth of a millisecond to make: so the
// module makes them, and does not carry them.
void MakePowersOfFive(int least, int greatest, RoundPowers rounding,
                      std::uint64_t* words);

}  // namespace entitable

#endif  // ENTITABLE_BASE_POWERS_OF_FIVE_H_
