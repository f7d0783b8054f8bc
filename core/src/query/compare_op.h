// compare_op.h - the operators that compare a property with a literal.

#ifndef ENTITABLE_QUERY_COMPARE_OP_H_
#define ENTITABLE_QUERY_COMPARE_OP_H_

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "model/value.h"

namespace entitable {

enum class CompareOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLessThan,
  kLessThanOrEqual,
  kGreaterThan,
  kGreaterThanOrEqual,
};

inline constexpr CompareOp kCompareOps[] = {
    CompareOp::kEqual,       CompareOp::kNotEqual,
    CompareOp::kLessThan,    CompareOp::kLessThanOrEqual,
    CompareOp::kGreaterThan, CompareOp::kGreaterThanOrEqual,
};

// The keyword in a filter, for example "eq".
std::string_view CompareOpKeyword(CompareOp op);

// The operator of a keyword.
std::optional<CompareOp> ToCompareOp(std::string_view keyword);

// The operator with its sides exchanged: `5 lt P` means `P gt 5`.
CompareOp Mirrored(CompareOp op);

// The service's name of an ordering operator, for example "LessThan"; empty for
// eq and ne.
std::string_view OrderingName(CompareOp op);

// -------------------------------------------------------------------- by value

// Compares values as the extended dialect of filters does.

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

#endif  // ENTITABLE_QUERY_COMPARE_OP_H_
