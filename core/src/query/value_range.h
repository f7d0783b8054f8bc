// value_range.h - the range of numbers for which a comparison is true.
//
// Every comparison except `ne` is true for one contiguous range of numbers.
// `ne` is true for all numbers outside the range of `eq`.  So one kind of loop
// can compare a column, and the least and greatest value of a column tell
// whether any value can match.

#ifndef ENTITABLE_QUERY_VALUE_RANGE_H_
#define ENTITABLE_QUERY_VALUE_RANGE_H_

#include <cstdint>

#include "model/value.h"
#include "query/filter.h"

namespace entitable {

// Both bounds are included.  Empty if `least` is greater than `greatest`.
template <typename Number>
struct NumberRange {
  Number least;
  Number greatest;

  bool is_empty() const { return !(least <= greatest); }
};
using IntegerRange = NumberRange<std::int64_t>;
using DoubleRange = NumberRange<double>;

// For `ne`: the range of `eq`; IsInverted() is then true.
IntegerRange IntegersFor(CompareOp op, std::int64_t literal);
DoubleRange DoublesFor(CompareOp op, double literal);

constexpr bool IsInverted(CompareOp op) { return op == CompareOp::kNotEqual; }

// The literal as an integer: a number, ticks, or 0 and 1.
std::int64_t IntegerOf(const Value& literal);

// The literal as a Double.
double DoubleOf(const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_VALUE_RANGE_H_
