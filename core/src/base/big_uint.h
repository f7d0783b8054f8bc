// big_uint.h - an unsigned integer of up to 1,024 bits.

#ifndef ENTITABLE_BASE_BIG_UINT_H_
#define ENTITABLE_BASE_BIG_UINT_H_

#include <array>
#include <cstddef>
#include <cstdint>

namespace entitable {

class BigUint {
 public:
  // 2^exponent, for an exponent below 1,024.
  static BigUint PowerOfTwo(std::size_t exponent);

  void MultiplyByFive();
  void DivideByFive();  // Rounds down.

  // 64 bits, beginning `skipped` bits behind the highest set bit.  Bits below
  // the lowest bit are zero.
  std::uint64_t BitsFromTop(std::size_t skipped) const;

 private:
  std::array<std::uint32_t, 32> digits_{};  // The lowest first.
  std::size_t size_ = 0;                    // The highest digit is not 0.
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_BIG_UINT_H_
