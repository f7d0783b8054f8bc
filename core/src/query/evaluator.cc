// What a property compares with, in the default dialect.  The literal takes the
// type of the property if that is the wider one, and never the other way:
//
//   property   Int32 literal   Int64 literal   Double literal
//   Int32      compared        less            less
//   Int64      converted       compared        less
//   Double     converted       converted       compared
//
// Other types compare with their own type alone, and as less with all others.
// So N lt 5.0 is true for every Int32.  The extended dialect compares numbers
// by their values instead, and lets nothing else compare (compare_op.h).
//
// A row is tested by a walk along the leaves, each of which says where a true
// and a false answer lead (conditions.h).  The budget is charged at the end for
// all leaves on the way, because their costs are small, and for the bytes of
// texts as they are compared.

#include "query/evaluator.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <vector>

#include "model/value_order.h"
#include "query/compare_op.h"

namespace entitable {
namespace {

bool LeafMatches(const Conditions& conditions, const Condition& leaf,
                 std::span<const std::optional<Value>> values,
                 WorkBudget& work) {
  if (leaf.kind == ConditionKind::kConstant) return leaf.literal.boolean();
  if (leaf.kind == ConditionKind::kTest) {
    return ExpressionMachine().IsTrue(conditions.TestOf(leaf), values, work);
  }
  const std::optional<Value>& value = values[leaf.property];
  if (!value) return false;  // Also false for `ne`.
  work.SpendParts(value->byte_count() * kPartsPerTextByte);
  if (leaf.kind == ConditionKind::kCompare) {
    if (leaf.by_value) return CompareByValue(leaf.op, *value, leaf.literal);
    return Compare(leaf.op, *value, leaf.literal);
  }
  const bool is_among = conditions.SetOf(leaf).Has(*value);
  return is_among == (leaf.op == CompareOp::kEqual);
}

}  // namespace

// If the property's type is wider, the literal is converted to it, never the
// other way.  Source: query of the spec, 3.6.
std::span<const EdmType> ComparableWith(EdmType property) {
  static constexpr EdmType kNumbers[] = {EdmType::kInt32, EdmType::kInt64,
                                         EdmType::kDouble};
  static constexpr EdmType kOthers[] = {EdmType::kString, EdmType::kBoolean,
                                        EdmType::kDateTime, EdmType::kGuid,
                                        EdmType::kBinary};
  const auto* const number = std::ranges::find(kNumbers, property);
  if (number != std::end(kNumbers)) return {kNumbers, number + 1};
  return {std::ranges::find(kOthers, property), 1};
}

bool IsComparable(EdmType property, EdmType literal) {
  const auto types = ComparableWith(property);
  return std::ranges::find(types, literal) != types.end();
}

std::partial_ordering Order(const Value& property, const Value& literal) {
  const EdmType type = property.type();
  if (type == literal.type()) return OrderOfOneType(property, literal);
  if (!IsComparable(type, literal.type())) return std::partial_ordering::less;
  if (type == EdmType::kInt64) {
    return property.int64() <=> std::int64_t{literal.int32()};
  }
  return property.real() <=> (literal.type() == EdmType::kInt32
                                  ? static_cast<double>(literal.int32())
                                  : static_cast<double>(literal.int64()));
}

bool Holds(CompareOp op, std::partial_ordering order) {
  switch (op) {
    case CompareOp::kEqual:
      return order == 0;
    case CompareOp::kNotEqual:
      return order != 0;
    case CompareOp::kLessThan:
      return order < 0;
    case CompareOp::kLessThanOrEqual:
      return order <= 0;
    case CompareOp::kGreaterThan:
      return order > 0;
    case CompareOp::kGreaterThanOrEqual:
      return order >= 0;
  }
  return false;
}

bool Compare(CompareOp op, const Value& property, const Value& literal) {
  return Holds(op, Order(property, literal));
}

bool Matches(const Conditions& conditions,
             std::span<const std::optional<Value>> values, WorkBudget& work) {
  const std::vector<Condition>& nodes = conditions.nodes();
  std::uint64_t parts = 0;
  std::uint32_t at = 0;
  while (at < nodes.size()) {
    const Condition& leaf = nodes[at];
    parts += leaf.kind == ConditionKind::kAmong ? kPartsPerSetSearch
                                                : kPartsPerCondition;
    at = LeafMatches(conditions, leaf, values, work) ? leaf.on_true
                                                     : leaf.on_false;
  }
  work.SpendParts(parts);
  return at == Conditions::kMatch;
}

}  // namespace entitable
