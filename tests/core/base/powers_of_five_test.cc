#include "base/powers_of_five.h"

#include <gtest/gtest.h>

#include <vector>

#include "simdjson.h"

namespace entitable {
namespace {

// The published table, word for word.
TEST(PowersOfFiveTest, AreThoseOfSimdjson) {
  std::vector<std::uint64_t> words(kPowersOfFiveWords);

  MakePowersOfFive(kLeastPowerOfFive, kGreatestPowerOfFive,
                   RoundPowers::kAsSimdjson, words.data());

  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(words[i], simdjson::internal::power_of_five_128[i]) << i;
  }
}

}  // namespace
}  // namespace entitable
