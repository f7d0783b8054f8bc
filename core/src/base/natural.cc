#include "base/natural.h"

#include <algorithm>
#include <bit>

namespace entitable {

Natural::Natural(std::uint64_t value) {
  for (; value != 0; value >>= 32) {
    digits_[size_++] = static_cast<std::uint32_t>(value);
  }
}

void Natural::MultiplyAdd(std::uint32_t factor, std::uint32_t summand) {
  std::uint64_t carry = summand;
  for (std::size_t i = 0; i < size_; ++i) {
    carry += std::uint64_t{factor} * digits_[i];
    digits_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  if (carry != 0) digits_[size_++] = static_cast<std::uint32_t>(carry);
}

void Natural::MultiplyByPowerOfFive(std::size_t power) {
  for (; power >= 13; power -= 13) MultiplyAdd(1'220'703'125, 0);
  for (; power > 0; --power) MultiplyAdd(5, 0);
}

void Natural::ShiftLeft(std::size_t bits) {
  MultiplyAdd(1U << bits % 32, 0);
  const std::size_t zeros = bits / 32;
  std::copy_backward(digits_.begin(), digits_.begin() + size_,
                     digits_.begin() + size_ + zeros);
  std::fill_n(digits_.begin(), zeros, 0);
  size_ += zeros;
}

void Natural::DivideByFive() {
  std::uint64_t rest = 0;
  for (std::size_t i = size_; i-- > 0;) {
    rest = rest << 32 | digits_[i];
    digits_[i] = static_cast<std::uint32_t>(rest / 5);
    rest %= 5;
  }
  while (size_ > 0 && digits_[size_ - 1] == 0) --size_;
}

std::uint64_t Natural::BitsFromTop(std::size_t skipped) const {
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

std::strong_ordering Natural::operator<=>(const Natural& other) const {
  if (size_ != other.size_) return size_ <=> other.size_;
  for (std::size_t i = size_; i-- > 0;) {
    if (digits_[i] != other.digits_[i]) return digits_[i] <=> other.digits_[i];
  }
  return std::strong_ordering::equal;
}

}  // namespace entitable
