#include "query/evaluator.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/value_order.h"

namespace entitable {
namespace {

bool LeafMatches(const FilterNode& leaf, const PropertySource& properties) {
  if (leaf.kind == FilterNodeKind::kConstant) return leaf.literal.boolean();

  const std::optional<Value> value = properties.Find(leaf.name);
  if (!value) return false;  // Also for `ne`.
  const Comparison asked = ComparisonOf(leaf);
  return Compare(asked.op, *value, asked.literal);
}

}  // namespace

// The literal is brought to the property's type where that one is wider, never
// the other way.  Source: query.md of the spec, 3.6.
bool IsComparable(EdmType property, EdmType literal) {
  if (property == literal) return true;
  if (property == EdmType::kInt64) return literal == EdmType::kInt32;
  return property == EdmType::kDouble &&
         (literal == EdmType::kInt32 || literal == EdmType::kInt64);
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

Comparison ComparisonOf(const FilterNode& leaf) {
  if (leaf.kind == FilterNodeKind::kCompare) return {leaf.op, leaf.literal};
  return {CompareOp::kEqual, Value::Boolean(true)};
}

bool Matches(const Filter& filter, const PropertySource& properties) {
  const std::vector<FilterNode>& nodes = filter.nodes();
  std::uint32_t at = 0;
  while (at < nodes.size()) {
    const FilterNode& leaf = nodes[at];
    at = LeafMatches(leaf, properties) ? leaf.on_true : leaf.on_false;
  }
  return at == Filter::kMatch;
}

}  // namespace entitable
