#include "base/powers_of_five.h"

#include <array>
#include <cstddef>

#include "base/big_uint.h"

namespace entitable {
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

Words MakeWords() {
  Words words;
  BigUint number = BigUint::PowerOfTwo(0);
  for (int power = 0; power <= kGreatestPowerOfFive; ++power) {
    Put(words, power, number);
    number.MultiplyByFive();
  }
  number = BigUint::PowerOfTwo(kPowerBits);
  for (int power = -1; power >= kLeastPowerOfFive; --power) {
    number.DivideByFive();
    Put(words, power, number);
  }
  return words;
}

}  // namespace

const std::uint64_t* PowerOfFive(int power) {
  static Words words = MakeWords();
  return WordsOf(words, power);
}

}  // namespace entitable
