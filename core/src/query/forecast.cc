#include "query/forecast.h"

#include <compare>
#include <optional>
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

bool MayHold(const Comparison& asked, const Zone& zone) {
  auto greatest = Order(zone.greatest, asked.literal);
  const bool are_texts = zone.greatest.type() == EdmType::kString &&
                         asked.literal.type() == EdmType::kString;
  if (are_texts && asked.literal.string().starts_with(zone.greatest.string())) {
    greatest = std::partial_ordering::greater;
  }
  return MayHold(asked.op, Order(zone.least, asked.literal), greatest);
}

// An entity that lacks the property makes any comparison false.
Outlook OutlookOf(const FilterNode& leaf, const PropertyList& zones) {
  if (leaf.kind == FilterNodeKind::kConstant) {
    return {leaf.literal.boolean(), !leaf.literal.boolean()};
  }
  const std::optional<Zone> zone = FindZone(zones, leaf.name);
  return {!zone || MayHold(ComparisonOf(leaf), *zone), true};
}

}  // namespace

Forecast ForecastOf(const Filter& filter, const PropertyList& zones) {
  std::vector<Outlook> stack;
  stack.reserve(filter.nodes().size());
  for (const FilterNode& node : filter.nodes()) {
    if (node.kind < FilterNodeKind::kNot) {
      stack.push_back(OutlookOf(node, zones));
    } else if (node.kind == FilterNodeKind::kNot) {
      std::swap(stack.back().may_be_true, stack.back().may_be_false);
    } else {
      const Outlook right = stack.back();
      stack.pop_back();
      Outlook& left = stack.back();
      const bool is_and = node.kind == FilterNodeKind::kAnd;
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
