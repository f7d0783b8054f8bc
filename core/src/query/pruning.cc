// Pruning evaluates the filter on all entities of a page at once, from what the
// zone map says of them.  Each condition has two outcomes: it may be true for
// some entity, and it may be false for some.  With N between 10 and 50:
//
//                    may be true   may be false
//   N gt 100         no            yes
//   N gt 20          yes           yes
//   not (N gt 100)   yes           no
//   M gt 20          yes           yes           nothing is known of M
//
// A comparison may always be false, because an entity may not have the
// property.  `not` exchanges the two; `and` may be true if both sides may be,
// and may be false if one may be; `or` the other way round.  At the root, a
// filter that cannot be true skips the page.  One that cannot be false matches
// all of it, so a count need not read it either.
//
// The sides are taken as independent of each other, so N gt 20 and not (N gt
// 20) may be true here.  That reads a page for nothing and never skips a match.

#include "query/pruning.h"

#include <bit>
#include <compare>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "model/row_filter.h"
#include "query/compare_op.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kGreatest = std::numeric_limits<std::int64_t>::max();
constexpr IntegerRange kNoIntegers{1, 0};

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr DoubleRange kNoDoubles{1, 0};

// The bit patterns of doubles with the same sign are in the order of their
// values.
double Above(double number) {
  if (number == 0) return std::numeric_limits<double>::denorm_min();
  const auto bits = std::bit_cast<std::int64_t>(number);
  return std::bit_cast<double>(number > 0 ? bits + 1 : bits - 1);
}

double Below(double number) { return -Above(-number); }

}  // namespace

IntegerRange IntegersFor(CompareOp op, std::int64_t literal) {
  switch (op) {
    case CompareOp::kEqual:
    case CompareOp::kNotEqual:
      return {literal, literal};
    case CompareOp::kLessThan:
      return literal == kLeast ? kNoIntegers
                               : IntegerRange{kLeast, literal - 1};
    case CompareOp::kLessThanOrEqual:
      return {kLeast, literal};
    case CompareOp::kGreaterThan:
      return literal == kGreatest ? kNoIntegers
                                  : IntegerRange{literal + 1, kGreatest};
    case CompareOp::kGreaterThanOrEqual:
      return {literal, kGreatest};
  }
  return kNoIntegers;
}

DoubleRange DoublesFor(CompareOp op, double literal) {
  switch (op) {
    case CompareOp::kEqual:
    case CompareOp::kNotEqual:
      return {literal, literal};  // Empty for NaN, as below.
    case CompareOp::kLessThan:
      return literal == -kInfinity ? kNoDoubles
                                   : DoubleRange{-kInfinity, Below(literal)};
    case CompareOp::kLessThanOrEqual:
      return {-kInfinity, literal};
    case CompareOp::kGreaterThan:
      return literal == kInfinity ? kNoDoubles
                                  : DoubleRange{Above(literal), kInfinity};
    case CompareOp::kGreaterThanOrEqual:
      return {literal, kInfinity};
  }
  return kNoDoubles;
}

std::int64_t IntegerOf(const Value& literal) {
  switch (literal.type()) {
    case EdmType::kInt32:
      return literal.int32();
    case EdmType::kBoolean:
      return literal.boolean();
    case EdmType::kDateTime:
      return literal.date_time().ticks;
    default:
      return literal.int64();
  }
}

double DoubleOf(const Value& literal) {
  return literal.type() == EdmType::kDouble
             ? literal.real()
             : static_cast<double>(IntegerOf(literal));
}

// --------------------------------------------------------------------- pruning

namespace {

// The possible results of a part of the filter on the entities of a page.
struct Outcomes {
  bool may_be_true;
  bool may_be_false;
};

// Whether a comparison can be true for values between two bounds, given how the
// bounds compare with the literal.
bool MayHold(CompareOp op, std::partial_ordering least,
             std::partial_ordering greatest) {
  using Order = std::partial_ordering;
  return (least < 0 && Holds(op, Order::less)) ||
         (least <= 0 && greatest >= 0 && Holds(op, Order::equivalent)) ||
         (greatest > 0 && Holds(op, Order::greater)) ||
         (least == Order::unordered && Holds(op, Order::unordered));
}

// The bounds of texts are cut.  If the literal begins with the greatest bound,
// a text that begins with it, too, may be greater than the literal.
bool MayHold(CompareOp op, const Value& literal, const ZoneBounds& bounds,
             bool by_value = false) {
  const auto order_of = [&](const Value& value) {
    return by_value ? OrderByValue(value, literal) : Order(value, literal);
  };
  if (by_value && !HaveOrder(bounds.least.type(), literal.type())) return false;
  auto greatest = order_of(bounds.greatest);
  const bool are_texts = bounds.greatest.type() == EdmType::kString &&
                         literal.type() == EdmType::kString;
  if (are_texts && literal.string().starts_with(bounds.greatest.string())) {
    greatest = std::partial_ordering::greater;
  }
  return MayHold(op, order_of(bounds.least), greatest);
}

// Take the first literal of a type that is not below the bounds.  If it is not
// within the bounds, no literal of the type is.
bool MayBeAmong(const LiteralSet& set, const ZoneBounds& bounds) {
  for (const EdmType type : ComparableWith(bounds.least.type())) {
    const auto literals = set.From(type, bounds.least);
    if (literals.empty()) continue;
    if (MayHold(CompareOp::kEqual, literals.front(), bounds)) return true;
  }
  return false;
}

// Whether all values of the column are the same and are in the set.
bool IsAmong(const LiteralSet& set, const ZoneBounds& bounds) {
  const bool is_one_value = bounds.least.type() != EdmType::kString &&
                            Order(bounds.least, bounds.greatest) == 0;
  return is_one_value && set.Has(bounds.least);
}

using ZoneMap = std::vector<std::optional<ZoneBounds>>;  // By property.

ZoneMap ZoneMapOf(const KeyTable& names, const PropertyList& list) {
  ZoneMap zone_map(names.size());
  ForEachZoneBounds(list, [&](std::string_view name, const auto& bounds_of) {
    const std::size_t i = names.Find(name);
    if (i != KeyTable::kNone) zone_map[i] = bounds_of();
  });
  return zone_map;
}

bool MayHold(const Conditions& conditions, const Condition& leaf,
             const ZoneBounds& bounds) {
  if (leaf.kind == ConditionKind::kCompare) {
    return MayHold(leaf.op, leaf.literal, bounds, leaf.by_value);
  }
  const LiteralSet& set = conditions.SetOf(leaf);
  return leaf.op == CompareOp::kEqual ? MayBeAmong(set, bounds)
                                      : !IsAmong(set, bounds);
}

// Every comparison is false for an entity without the property.
Outcomes OutcomesOf(const Conditions& conditions, const Condition& leaf,
                    const ZoneMap& zone_map) {
  if (leaf.kind == ConditionKind::kConstant) {
    return {leaf.literal.boolean(), !leaf.literal.boolean()};
  }
  if (leaf.kind == ConditionKind::kTest) return {true, true};
  const std::optional<ZoneBounds>& bounds = zone_map[leaf.property];
  return {!bounds || MayHold(conditions, leaf, *bounds), true};
}

}  // namespace

PageMatch PruneByZoneMap(const Conditions& conditions,
                         const PropertyList& zone_map) {
  const ZoneMap by_property = ZoneMapOf(conditions.names(), zone_map);
  std::vector<Outcomes> stack;
  stack.reserve(conditions.max_depth());
  for (const Condition& node : conditions.nodes()) {
    if (node.is_leaf()) {
      stack.push_back(OutcomesOf(conditions, node, by_property));
    } else if (node.kind == ConditionKind::kNot) {
      std::swap(stack.back().may_be_true, stack.back().may_be_false);
    } else {
      const Outcomes right = stack.back();
      stack.pop_back();
      Outcomes& left = stack.back();
      const bool is_and = node.kind == ConditionKind::kAnd;
      left = is_and ? Outcomes{left.may_be_true && right.may_be_true,
                               left.may_be_false || right.may_be_false}
                    : Outcomes{left.may_be_true || right.may_be_true,
                               left.may_be_false && right.may_be_false};
    }
  }
  return !stack.back().may_be_true    ? PageMatch::kNone
         : !stack.back().may_be_false ? PageMatch::kAll
                                      : PageMatch::kSome;
}

}  // namespace entitable
