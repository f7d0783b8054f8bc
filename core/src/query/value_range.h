// value_range.h - the numbers for which a comparison is true.
//
// Every comparison but `ne` is true of one unbroken run of numbers, and `ne` of
// all but that of `eq`.  So a column is compared in one kind of loop, and the
// least and greatest of a column tell whether any can match.

#ifndef ENTITABLE_QUERY_VALUE_RANGE_H_
#define ENTITABLE_QUERY_VALUE_RANGE_H_

#include <cstdint>

#include "model/value.h"
#include "query/filter.h"

namespace entitable {

// From the one to the other, both included; none when `least` is above.
template <typename Number>
struct NumberRange {
  Number least;
  Number greatest;

  bool is_empty() const { return !(least <= greatest); }
};
using IntegerRange = NumberRange<std::int64_t>;
using DoubleRange = NumberRange<double>;

// Of `ne`: that of `eq`, and IsInverted().
IntegerRange IntegersFor(CompareOp op, std::int64_t literal);
DoubleRange DoublesFor(CompareOp op, double literal);

constexpr bool IsInverted(CompareOp op) { return op == CompareOp::kNotEqual; }

// Of a literal that compares with integers of the kind: a number, ticks, or 0
// and 1.
std::int64_t IntegerOf(const Value& literal);

// Of one that compares with Doubles.
double DoubleOf(const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_VALUE_RANGE_H_
