// evaluator.h - the last stage of a filter: is it true of this entity?

#ifndef ENTITABLE_QUERY_EVALUATOR_H_
#define ENTITABLE_QUERY_EVALUATOR_H_

#include <compare>

#include "model/property_source.h"
#include "model/value.h"
#include "query/filter.h"

namespace entitable {

// Asks for no property that the answer does not depend on, from left to right.
bool Matches(const Filter& filter, const PropertySource& properties);

// True when values of a property of one type are brought to the other and
// compared.  All others compare as less than the literal, whatever they are.
bool IsComparable(EdmType property, EdmType literal);

// With a NaN, which has no order, every operator but `ne` is false.
bool Holds(CompareOp op, std::partial_ordering order);

bool Compare(CompareOp op, const Value& property, const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EVALUATOR_H_
