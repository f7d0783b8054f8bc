// by_value.h - compares values as the extended dialect of filters does.

#ifndef ENTITABLE_QUERY_BY_VALUE_H_
#define ENTITABLE_QUERY_BY_VALUE_H_

#include <compare>

#include "model/value.h"
#include "query/compare_op.h"

namespace entitable {

// Whether values of these types have an order: of one type, or both numbers.
bool HaveOrder(EdmType a, EdmType b);

// Compares numbers of all types by their values, exactly.  NaN has no order.
// The two types must have an order.
std::partial_ordering OrderByValue(const Value& a, const Value& b);

// False if the two types have no order, whatever the operator is.
bool CompareByValue(CompareOp op, const Value& a, const Value& b);

// The literal with the narrowest type that has a number of this value: Int32,
// then Int64, then Double.  Other values stay as they are.
Value Narrowed(const Value& literal);

// Whether the default dialect compares a property of this type with this
// literal, and does so by value.
bool IsComparedExactly(EdmType property, const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_BY_VALUE_H_
