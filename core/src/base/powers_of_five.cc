#include "base/powers_of_five.h"

#include <array>
#include <bit>

namespace entitable {
namespace {

// A natural number, the lowest digit first.
class Natural {
 public:
  void SetBit(std::size_t bit) { digits_[bit / 32] |= 1U << bit % 32; }

  void MultiplyByFive() {
    std::uint64_t carry = 0;
    for (std::uint32_t& digit : digits_) {
      carry += std::uint64_t{5} * digit;
      digit = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  void DivideByFive() {
    std::uint64_t rest = 0;
    for (auto digit = digits_.rbegin(); digit != digits_.rend(); ++digit) {
      rest = rest << 32 | *digit;
      *digit = static_cast<std::uint32_t>(rest / 5);
      rest %= 5;
    }
  }

  // 64 bits, after so many from the highest that is set.
  std::uint64_t BitsFromTop(std::size_t skipped) const {
    std::size_t top = digits_.size();
    while (digits_[top - 1] == 0) --top;
    const std::size_t bits =
        32 * top - static_cast<std::size_t>(std::countl_zero(digits_[top - 1]));
    std::uint64_t word = 0;
    for (std::size_t i = 1; i <= 64; ++i) {
      const std::size_t down = skipped + i;
      const bool is_set =
          down <= bits &&
          (digits_[(bits - down) / 32] >> (bits - down) % 32 & 1) != 0;
      word = word << 1 | static_cast<std::uint64_t>(is_set);
    }
    return word;
  }

 private:
  std::array<std::uint32_t, 30> digits_{};
};

// Whose reciprocals have 63 bits or fewer: those are rounded up.
constexpr int kLeastRoundedUp = -27;

// Of these, the ones from here on have all 128 bits, the others as many as
// their reciprocal and 65 more.
constexpr int kLeastFull = -17;

void RoundUp(int power, std::uint64_t* words) {
  std::size_t zeros = 0;
  if (power < kLeastFull) {
    std::uint64_t reciprocal = 1;
    for (int i = power; i < 0; ++i) reciprocal *= 5;
    zeros = static_cast<std::size_t>(std::countl_zero(reciprocal)) - 1;
  }
  words[1] = ((words[1] >> zeros) + 1) << zeros;
  if (words[1] == 0) ++words[0];
}

}  // namespace

void MakePowersOfFive(std::uint64_t* words) {
  const auto put = [words](int power, const Natural& number) {
    std::uint64_t* const at = words + 2 * (power - kLeastPowerOfFive);
    at[0] = number.BitsFromTop(0);
    at[1] = number.BitsFromTop(64);
    if (power >= kLeastRoundedUp && power < 0) RoundUp(power, at);
  };
  Natural number;
  number.SetBit(0);
  for (int power = 0; power <= kGreatestPowerOfFive; ++power) {
    put(power, number);
    number.MultiplyByFive();
  }
  number = Natural();
  number.SetBit(930);
  for (int power = -1; power >= kLeastPowerOfFive; --power) {
    number.DivideByFive();
    put(power, number);
  }
}

}  // namespace entitable
