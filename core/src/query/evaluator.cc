#include "query/evaluator.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/utf.h"

namespace entitable {
namespace {

// Source: data-model.md of the spec, 1.5.8.
std::partial_ordering OrderOfOneType(const Value& a, const Value& b) {
  switch (a.type()) {
    case EdmType::kString:
      return CompareUtf16(a.string(), b.string());
    case EdmType::kInt32:
      return a.int32() <=> b.int32();
    case EdmType::kInt64:
      return a.int64() <=> b.int64();
    case EdmType::kDouble:
      return a.real() <=> b.real();
    case EdmType::kBoolean:
      return a.boolean() <=> b.boolean();
    case EdmType::kDateTime:
      return a.date_time() <=> b.date_time();
    case EdmType::kGuid:
      return a.guid() <=> b.guid();
    case EdmType::kBinary:
      return a.binary() <=> b.binary();  // Of unsigned bytes, as for any char.
  }
  return std::partial_ordering::unordered;
}

// Brings the literal to the wider type of the property.
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

bool LeafMatches(const FilterNode& leaf, const PropertySource& properties) {
  if (leaf.kind == FilterNodeKind::kConstant) return leaf.literal.boolean();

  const std::optional<Value> value = properties.Find(leaf.name);
  if (!value) return false;  // Also for `ne`.
  if (leaf.kind == FilterNodeKind::kProperty) {
    return value->type() == EdmType::kBoolean && value->boolean();
  }
  return Compare(leaf.op, *value, leaf.literal);
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
