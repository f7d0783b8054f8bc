// evaluator.h - the last stage of a filter: tests one row.

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

// `values` has the values of the properties that the conditions name, by
// number; nothing for a missing property.  Tests from left to right and stops
// as soon as the answer is known.
bool Matches(const Conditions& conditions,
             std::span<const std::optional<Value>> values, WorkBudget& work);

// The types of literals that compare with a property of this type.
std::span<const EdmType> ComparableWith(EdmType property);

// Whether a property and a literal of these types are converted and compared.
// All other pairs compare as less, whatever the values are.
bool IsComparable(EdmType property, EdmType literal);

// Compares the property with the literal, which is converted to the property's
// type.
std::partial_ordering Order(const Value& property, const Value& literal);

// With NaN, which has no order, every operator except `ne` is false.
bool Holds(CompareOp op, std::partial_ordering order);

bool Compare(CompareOp op, const Value& property, const Value& literal);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EVALUATOR_H_
