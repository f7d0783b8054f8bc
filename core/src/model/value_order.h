// value_order.h - the order of values.

#ifndef ENTITABLE_MODEL_VALUE_ORDER_H_
#define ENTITABLE_MODEL_VALUE_ORDER_H_

#include <compare>

#include "model/value.h"

namespace entitable {

// Both values must have the same type.  NaN has no order.  Source: data-model
// of the spec, 1.5.8.
std::partial_ordering OrderOfOneType(const Value& a, const Value& b);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUE_ORDER_H_
