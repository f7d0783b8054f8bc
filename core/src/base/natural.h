// natural.h - a natural number of many digits.

#ifndef ENTITABLE_BASE_NATURAL_H_
#define ENTITABLE_BASE_NATURAL_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

namespace entitable {

// Below 2^4096, which is what turning doubles into decimals and back asks for.
class Natural {
 public:
  explicit Natural(std::uint64_t value);

  // *this * factor + summand.
  void MultiplyAdd(std::uint32_t factor, std::uint32_t summand);
  void MultiplyByPowerOfFive(std::size_t power);
  void ShiftLeft(std::size_t bits);

  void DivideByFive();

  // 64 bits, after so many from the highest that is set.
  std::uint64_t BitsFromTop(std::size_t skipped) const;

  std::strong_ordering operator<=>(const Natural& other) const;

 private:
  std::array<std::uint32_t, 128> digits_;  // The lowest first.
  std::size_t size_ = 0;                   // The highest digit is not 0.
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_NATURAL_H_
