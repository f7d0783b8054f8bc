// evaluator.h - the last stage of a filter: is it true of these values?

#ifndef ENTITABLE_QUERY_EVALUATOR_H_
#define ENTITABLE_QUERY_EVALUATOR_H_

#include <compare>
#include <optional>
#include <span>

#include "base/work_budget.h"
#include "model/value.h"
#include "query/conditions.h"
#include "query/filter.h"

namespace entitable {

// Of the values of the properties that the conditions name, by number; nothing
// for one that is missing.  From left to right, and no further than the answer
// needs.
bool Matches(const Conditions& conditions,
             std::span<const std::optional<Value>> values, WorkBudget& work);

// The types of literals that compare with a property of the type.
std::span<const EdmType> ComparableWith(EdmType property);

// True when values of a property of one type are brought to the other and
// compared.  All others compare as less than the literal, whatever they are.
bool IsComparable(EdmType property, EdmType literal);

// Of a property's value and the literal, brought to the wider type of the
// property.
std::partial_ordering Order(const Value& property, const Value& literal);

// With a NaN, which has no order, every operator but `ne` is false.
bool Holds(CompareOp op, std::partial_ordering order);

bool Compare(CompareOp op, const Value& property, const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EVALUATOR_H_
