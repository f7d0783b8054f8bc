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

// Of a property's value and the literal, brought to the wider type of the
// property.
std::partial_ordering Order(const Value& property, const Value& literal);

// With a NaN, which has no order, every operator but `ne` is false.
bool Holds(CompareOp op, std::partial_ordering order);

bool Compare(CompareOp op, const Value& property, const Value& literal);

// What a property is compared with.
struct Comparison {
  CompareOp op;
  Value literal;
};

// Of a leaf that is no constant.  One that only names a property asks for
// `true`.
Comparison ComparisonOf(const FilterNode& leaf);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EVALUATOR_H_
