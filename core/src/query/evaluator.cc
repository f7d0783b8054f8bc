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

// The literal is brought to the property's type where that one is wider, never
// the other way.  Any other two types do not match, and then the property
// counts as less, whatever the values.  Source: query.md of the spec, 3.6.
std::partial_ordering Order(const Value& property, const Value& literal) {
  const EdmType wide = property.type();
  const EdmType narrow = literal.type();
  if (wide == narrow) return OrderOfOneType(property, literal);
  if (wide == EdmType::kInt64 && narrow == EdmType::kInt32) {
    return property.int64() <=> std::int64_t{literal.int32()};
  }
  if (wide == EdmType::kDouble && narrow == EdmType::kInt32) {
    return property.real() <=> static_cast<double>(literal.int32());
  }
  if (wide == EdmType::kDouble && narrow == EdmType::kInt64) {
    return property.real() <=> static_cast<double>(literal.int64());
  }
  return std::partial_ordering::less;
}

// With a NaN, which has no order, every operator but `ne` is false.
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

bool LeafMatches(const FilterNode& leaf, const PropertySource& properties) {
  if (leaf.kind == FilterNodeKind::kConstant) return leaf.literal.boolean();

  const std::optional<Value> value = properties.Find(leaf.name);
  if (!value) return false;  // Also for `ne`.
  if (leaf.kind == FilterNodeKind::kProperty) {
    return value->type() == EdmType::kBoolean && value->boolean();
  }
  return Holds(leaf.op, Order(*value, leaf.literal));
}

}  // namespace

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
