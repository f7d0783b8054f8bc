// The definition of simdjson's own table, which the module makes at its start.

#include <cstdint>

#include "base/powers_of_five.h"

namespace simdjson::internal {

// simdjson.h declares it, as constant, and so this file must not include that.
extern std::uint64_t power_of_five_128[entitable::kPowersOfFiveWords];
std::uint64_t power_of_five_128[entitable::kPowersOfFiveWords];

}  // namespace simdjson::internal

namespace {

const bool kIsMade = [] {
  // Through a pointer that the compiler must not see through: or it makes the
  // table itself, and the module carries it after all.
  std::uint64_t* volatile words = simdjson::internal::power_of_five_128;
  entitable::MakePowersOfFive(entitable::kLeastPowerOfFive,
                              entitable::kGreatestPowerOfFive,
                              entitable::RoundPowers::kAsSimdjson, words);
  return true;
}();

}  // namespace
