// order_value.h - a value of a property as bytes whose order (memcmp) is the
// order of values.
//
//   value     = 01                        the entity has no such property
//             | 02 u8                     Boolean
//             | 03 u64 u16                a number, see below
//             | 04 u64                    DateTime
//             | 05 text 00                String (base/sort_text.h)
//             | 06 16 bytes               Guid
//             | 07 bytes 00               Binary: 00 becomes 01 01, 01 becomes
//                                         01 02
//
// Integers here have the highest byte first.  Numbers of all types are ordered
// by their values, exactly.  NaN comes before all others.  The u64 is a double
// as an integer of the same order.  A double cannot hold every integer beyond
// 2^53, so there it is a multiple of 1024, and the u16 is the rest.
//
// No value is the beginning of another one.  If an order descends, all bits of
// its values are inverted.

#ifndef ENTITABLE_MODEL_ORDER_VALUE_H_
#define ENTITABLE_MODEL_ORDER_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "model/value.h"

namespace entitable {

// The first byte.
enum class OrderKind : std::uint8_t {
  kMissing = 1,
  kBoolean = 2,
  kNumber = 3,
  kDateTime = 4,
  kString = 5,
  kGuid = 6,
  kBinary = 7,
};

// The size of a value with the byte of its kind, by kind.  0: a 00 ends it.
inline constexpr std::uint8_t kOrderSizes[] = {0, 1, 2, 11, 9, 0, 17, 0};

// Null: the entity has no such property.
void AppendOrderValue(const Value* value, bool descends, std::string& key);

// Inverts the bytes from `begin` on if the order descends.
void InvertIf(bool descends, std::size_t begin, std::string& key);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ORDER_VALUE_H_
