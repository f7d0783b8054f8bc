#include "query/forecast.h"

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/zone.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

// Of a part of the filter and any entity of the page.
struct Outlook {
  bool may_be_true;
  bool may_be_false;
};

// How the values of a zone may compare with a literal, from how its ends do.
bool MayHold(CompareOp op, std::partial_ordering least,
             std::partial_ordering greatest) {
  using Order = std::partial_ordering;
  return (least < 0 && Holds(op, Order::less)) ||
         (least <= 0 && greatest >= 0 && Holds(op, Order::equivalent)) ||
         (greatest > 0 && Holds(op, Order::greater)) ||
         (least == Order::unordered && Holds(op, Order::unordered));
}

bool MayHold(CompareOp op, const Value& literal, const Zone& zone) {
  auto greatest = Order(zone.greatest, literal);
  const bool are_texts = zone.greatest.type() == EdmType::kString &&
                         literal.type() == EdmType::kString;
  if (are_texts && literal.string().starts_with(zone.greatest.string())) {
    greatest = std::partial_ordering::greater;
  }
  return MayHold(op, Order(zone.least, literal), greatest);
}

// Of literals of one type in their order, the first that is not below a zone is
// in it, or none is.
bool MayBeAmong(const LiteralSet& set, const Zone& zone) {
  for (const EdmType type : ComparableWith(zone.least.type())) {
    const auto literals = set.From(type, zone.least);
    if (literals.empty()) continue;
    if (MayHold(CompareOp::kEqual, literals.front(), zone)) return true;
  }
  return false;
}

// All values are one, which is in the set.
bool IsAmong(const LiteralSet& set, const Zone& zone) {
  const bool is_one_value = zone.least.type() != EdmType::kString &&
                            Order(zone.least, zone.greatest) == 0;
  return is_one_value && set.Has(zone.least);
}

using Zones = std::vector<std::optional<Zone>>;  // By property.

Zones ZonesOf(const KeyTable& names, const PropertyList& list) {
  Zones zones(names.size());
  ForEachZone(list, [&](std::string_view name, const auto& zone_of) {
    const std::size_t i = names.Find(name);
    if (i != KeyTable::kNone) zones[i] = zone_of();
  });
  return zones;
}

bool MayHold(const Conditions& conditions, const Condition& leaf,
             const Zone& zone) {
  if (leaf.kind == ConditionKind::kCompare) {
    return MayHold(leaf.op, leaf.literal, zone);
  }
  const LiteralSet& set = conditions.SetOf(leaf);
  return leaf.op == CompareOp::kEqual ? MayBeAmong(set, zone)
                                      : !IsAmong(set, zone);
}

// An entity that lacks the property makes any comparison false.
Outlook OutlookOf(const Conditions& conditions, const Condition& leaf,
                  const Zones& zones) {
  if (leaf.kind == ConditionKind::kConstant) {
    return {leaf.literal.boolean(), !leaf.literal.boolean()};
  }
  const std::optional<Zone>& zone = zones[leaf.property];
  return {!zone || MayHold(conditions, leaf, *zone), true};
}

}  // namespace

Forecast ForecastOf(const Conditions& conditions, const PropertyList& zones) {
  const Zones by_property = ZonesOf(conditions.names(), zones);
  std::vector<Outlook> stack;
  stack.reserve(conditions.max_depth());
  for (const Condition& node : conditions.nodes()) {
    if (node.is_leaf()) {
      stack.push_back(OutlookOf(conditions, node, by_property));
    } else if (node.kind == ConditionKind::kNot) {
      std::swap(stack.back().may_be_true, stack.back().may_be_false);
    } else {
      const Outlook right = stack.back();
      stack.pop_back();
      Outlook& left = stack.back();
      const bool is_and = node.kind == ConditionKind::kAnd;
      left = is_and ? Outlook{left.may_be_true && right.may_be_true,
                              left.may_be_false || right.may_be_false}
                    : Outlook{left.may_be_true || right.may_be_true,
                              left.may_be_false && right.may_be_false};
    }
  }
  return !stack.back().may_be_true    ? Forecast::kNone
         : !stack.back().may_be_false ? Forecast::kAll
                                      : Forecast::kSome;
}

}  // namespace entitable
