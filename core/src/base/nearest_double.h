// nearest_double.h - finds the double that is nearest to a decimal.

#ifndef ENTITABLE_BASE_NEAREST_DOUBLE_H_
#define ENTITABLE_BASE_NEAREST_DOUBLE_H_

#include <cstdint>
#include <string_view>

namespace entitable {

std::string_view WithoutLeadingZeros(std::string_view digits);

// The number that digits spell; at most 19 of them.
std::uint64_t WholeOf(std::string_view digits);

// whole.fraction * 10^exponent, of any number of digits, also of none.
struct DecimalText {
  std::string_view whole;
  std::string_view fraction;
  std::int64_t exponent = 0;  // Below 10^15, and above -10^15.
};

// Exact for every text: half way between two doubles it takes the even one.
// Infinity beyond the greatest double, and 0 below half of the least one.
double FindNearestDouble(const DecimalText& text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_NEAREST_DOUBLE_H_
