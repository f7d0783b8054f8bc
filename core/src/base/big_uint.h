// big_uint.h - an unsigned integer of up to 2,688 bits, which is enough for the
// exact conversions of doubles from and to text.

#ifndef ENTITABLE_BASE_BIG_UINT_H_
#define ENTITABLE_BASE_BIG_UINT_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace entitable {

// 0 at first.
class BigUint {
 public:
  // 2^exponent, for an exponent below 2,688.
  static BigUint PowerOfTwo(std::size_t exponent);

  void MultiplyAndAdd(std::uint32_t factor, std::uint32_t summand);
  // Rounds down, and returns the rest.
  std::uint32_t Divide(std::uint32_t divisor);

  // Without leading zeros.
  std::size_t bit_count() const;

  // 64 bits, beginning `skipped` bits behind the highest set bit.  Bits below
  // the lowest bit are zero.
  std::uint64_t BitsFromTop(std::size_t skipped) const;

 private:
  std::array<std::uint32_t, 84> digits_{};  // The lowest first.
  std::size_t size_ = 0;                    // The highest digit is not 0.
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_BIG_UINT_H_
