#include "base/powers_of_five.h"

#include <bit>

#include "base/natural.h"

namespace entitable {
namespace {

// simdjson's table has the powers rounded down, but for these, whose
// reciprocals have 63 bits or fewer.
constexpr int kLeastRoundedUp = -27;

// Of these, the ones from here on have all 128 bits, the others as many as
// their reciprocal and 65 more.
constexpr int kLeastFull = -17;

// Up to here, the powers have no more than 128 bits.
constexpr int kGreatestExact = 55;

bool IsRoundedUp(int power, RoundPowers rounding) {
  if (rounding == RoundPowers::kUp) return power < 0 || power > kGreatestExact;
  return power < 0 && power >= kLeastRoundedUp;
}

// How many bits at the end are zero.
std::size_t ZeroBits(int power, RoundPowers rounding) {
  if (rounding == RoundPowers::kUp || power >= kLeastFull) return 0;
  std::uint64_t reciprocal = 1;
  for (int i = power; i < 0; ++i) reciprocal *= 5;
  return static_cast<std::size_t>(std::countl_zero(reciprocal)) - 1;
}

}  // namespace

void MakePowersOfFive(int least, int greatest, RoundPowers rounding,
                      std::uint64_t* words) {
  const auto put = [=](int power, const Natural& number) {
    std::uint64_t* const at = words + std::ptrdiff_t{2} * (power - least);
    at[0] = number.BitsFromTop(0);
    at[1] = number.BitsFromTop(64);
    if (!IsRoundedUp(power, rounding)) return;
    const std::size_t zeros = ZeroBits(power, rounding);
    at[1] = ((at[1] >> zeros) + 1) << zeros;
    if (at[1] == 0) ++at[0];
  };
  Natural number(1);
  for (int power = 0; power <= greatest; ++power) {
    put(power, number);
    number.MultiplyAdd(5, 0);
  }
  number = Natural(1);
  number.ShiftLeft(930);
  for (int power = -1; power >= least; --power) {
    number.DivideByFive();
    put(power, number);
  }
}

}  // namespace entitable
