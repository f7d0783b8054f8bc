// pruning.h - decides from a zone map whether the rows of a page can match a
// filter, so that pages without matches are not read.

#ifndef ENTITABLE_QUERY_PRUNING_H_
#define ENTITABLE_QUERY_PRUNING_H_

#include <cstdint>

#include "model/entity.h"
#include "model/row_filter.h"
#include "model/value.h"
#include "query/conditions.h"
#include "query/filter.h"

namespace entitable {

// The range of numbers for which a comparison is true.
//
// Every comparison except `ne` is true for one contiguous range of numbers.
// `ne` is true for all numbers outside the range of `eq`.  So one kind of loop
// can compare a column, and the least and greatest value of a column tell
// whether any value can match.

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

// --------------------------------------------------------------------- pruning

// See model/row_filter.h.
PageMatch PruneByZoneMap(const Conditions& conditions,
                         const PropertyList& zone_map);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PRUNING_H_
