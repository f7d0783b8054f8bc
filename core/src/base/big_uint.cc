#include "base/big_uint.h"

#include <bit>

namespace entitable {

BigUint BigUint::PowerOfTwo(std::size_t exponent) {
  BigUint number;
  number.digits_[exponent / 32] = std::uint32_t{1} << exponent % 32;
  number.size_ = exponent / 32 + 1;
  return number;
}

void BigUint::MultiplyAndAdd(std::uint32_t factor, std::uint32_t summand) {
  std::uint64_t carry = summand;
  for (std::size_t i = 0; i < size_; ++i) {
    carry += std::uint64_t{factor} * digits_[i];
    digits_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) digits_[size_++] = static_cast<std::uint32_t>(carry);
}

std::uint32_t BigUint::Divide(std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (std::size_t i = size_; i-- > 0;) {
    rest = rest << 32 | digits_[i];
    digits_[i] = static_cast<std::uint32_t>(rest / divisor);
    rest %= divisor;
  }
  while (size_ > 0 && digits_[size_ - 1] == 0) --size_;
  return static_cast<std::uint32_t>(rest);
}

std::size_t BigUint::bit_count() const {
  if (size_ == 0) return 0;
  return 32 * size_ -
         static_cast<std::size_t>(std::countl_zero(digits_[size_ - 1]));
}

std::uint64_t BigUint::BitsFromTop(std::size_t skipped) const {
  // Of the lowest of these bits, which may lie below the number.
  const auto place = static_cast<std::ptrdiff_t>(bit_count()) -
                     static_cast<std::ptrdiff_t>(skipped) - 64;
  const auto digit = [&](std::ptrdiff_t i) {
    const auto at = static_cast<std::size_t>(i);
    return std::uint64_t{at < size_ ? digits_[at] : 0};
  };
  const std::ptrdiff_t lowest = place >> 5;
  const auto shift = static_cast<unsigned>(place & 31);
  const std::uint64_t high = digit(lowest + 2) << 32 | digit(lowest + 1);
  return high << (32 - shift) | digit(lowest) >> shift;
}

}  // namespace entitable
