#include "model/multiple_of.h"

#include <cmath>
#include <cstdint>

#include "base/shortest_decimal.h"

namespace entitable {
namespace {

void DropZeros(ShortestDecimal& number) {
  for (; number.digits % 10 == 0; number.digits /= 10) ++number.power;
}

// As binary numbers, 0.3 is not a multiple of 0.1, but whoever writes a schema
// means decimals.  So both are taken as digits * 10^power, with as few digits
// as read back as the same double, and without zeros at the end:
//
//   0.3 = 3 * 10^-1,  0.1 = 1 * 10^-1      3 % 1 is 0
//   1e300 and 7                            10^300 % 7, one factor at a time
bool IsMultiple(double value, double divisor) {
  if (value == 0) return true;
  if (!std::isfinite(value)) return false;
  ShortestDecimal number = FindShortestDecimal(std::abs(value));
  ShortestDecimal unit = FindShortestDecimal(divisor);
  DropZeros(number);
  DropZeros(unit);
  // number / unit has decimal places that no factor of the unit removes.
  if (number.power < unit.power) return false;
  // Without zeros at the end there are at most 17 digits, so nothing overflows.
  std::uint64_t rest = number.digits % unit.digits;
  for (int n = number.power - unit.power; n > 0 && rest != 0; --n) {
    rest = rest * 10 % unit.digits;
  }
  return rest == 0;
}

}  // namespace

bool IsMultiple(const Value& value, const Value& divisor) {
  switch (value.type()) {
    case EdmType::kInt32:
      return value.int32() % divisor.int32() == 0;
    case EdmType::kInt64:
      return value.int64() % divisor.int64() == 0;
    default:
      return IsMultiple(value.real(), divisor.real());
  }
}

}  // namespace entitable
