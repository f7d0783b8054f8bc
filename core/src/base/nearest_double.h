// nearest_double.h - decimals that need more than 128 bits to become doubles.

#ifndef ENTITABLE_BASE_NEAREST_DOUBLE_H_
#define ENTITABLE_BASE_NEAREST_DOUBLE_H_

#include <cstdint>
#include <string_view>

namespace entitable {

// The double next to digits * 10^power, or the even one of two; infinity for
// what is beyond all.  Exact, and so a hundred times slower than what works for
// nearly all numbers of up to nineteen digits.
double NearestDouble(std::string_view digits, std::int64_t power);

}  // namespace entitable

#endif  // ENTITABLE_BASE_NEAREST_DOUBLE_H_
