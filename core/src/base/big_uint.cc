#include "base/big_uint.h"

#include <bit>

namespace entitable {

BigUint BigUint::PowerOfTwo(std::size_t exponent) {
  BigUint number;
  number.digits_[exponent / 32] = std::uint32_t{1} << exponent % 32;
  number.size_ = exponent / 32 + 1;
  return number;
}

void BigUint::MultiplyByFive() {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    carry += std::uint64_t{5} * digits_[i];
    digits_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) digits_[size_++] = static_cast<std::uint32_t>(carry);
}

void BigUint::DivideByFive() {
  std::uint64_t rest = 0;
  for (std::size_t i = size_; i-- > 0;) {
    rest = rest << 32 | digits_[i];
    digits_[i] = static_cast<std::uint32_t>(rest / 5);
    rest %= 5;
  }
  while (size_ > 0 && digits_[size_ - 1] == 0) --size_;
}

std::uint64_t BigUint::BitsFromTop(std::size_t skipped) const {
  const std::size_t bits =
      32 * size_ -
      static_cast<std::size_t>(std::countl_zero(digits_[size_ - 1]));
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

}  // namespace entitable
