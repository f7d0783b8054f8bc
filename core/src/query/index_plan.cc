// Of an index by Status and then by Created, descending, and the filter Status
// in ('new','open') and Created gt T, the plan is
//
//   term      where its values can be   ranges of entries
//   Status    'new'   'open'            new                open
//   Created   from T on                 new,~end..new,~T   open,~end..open,~T
//
// where ~ is a value with inverted bits, as the entries of a term that descends
// have it.  Each term multiplies the ranges by its intervals.  That works as
// long as the terms before it have single values: behind an interval with many
// values, the entries of the next term are scattered.  So the first term with
// such an interval is the last one of the plan, and so is the term before one
// of which the filter says nothing.
//
// The intervals of one property are found like the boxes of keys (planner.cc):
// `and` intersects them, `or` unites them, and `not` makes them everything.
// Too many of them become one that has them all.
//
// Of items, an entity has several entries, and each condition `any` may hold
// for another item.  So an `and` of two of them does not intersect their
// intervals, but takes those of one.  Arrays with too many items have an entry
// of their own, which is in the plan besides.
//
// Both ends of an interval are beginnings of values.  An entry has only the
// first 256 bytes of a value, and two values that begin with the same 256 bytes
// cannot be told apart in an index.  An interval that ends with such bytes
// contains all that begin with them, and the scan tests the entities later.

#include "query/index_plan.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "model/order_value.h"
#include "query/compare_op.h"

namespace entitable {
namespace {

// A plan with more ranges would cost more than it saves.
constexpr std::size_t kMaxRanges = 256;

// The pairs of intervals that an `and` may compare.
constexpr std::size_t kMaxPairs = 4096;

// Values of one property, as an index has them in ascending order: at or behind
// `first`, and before `last` or beginning with it.
struct ValueInterval {
  std::string first;
  std::string last;

  // One value, or several that begin in the same way.
  bool is_value() const { return first == last; }

  bool operator==(const ValueInterval&) const = default;
};
using ValueIntervals = std::vector<ValueInterval>;  // In order, and disjoint.

constexpr std::string_view kEnd = "\xFF";

std::string StartOf(OrderKind kind) {
  return std::string(1, static_cast<char>(kind));
}

// Behind the byte of the kind, only the greatest value can begin with FF.
std::string EndOf(OrderKind kind) { return StartOf(kind).append(kEnd); }

// Also entities without the property.
ValueInterval All() { return {{}, std::string(kEnd)}; }
ValueInterval Present() {
  return {StartOf(OrderKind::kBoolean), std::string(kEnd)};
}

bool AreAll(const ValueIntervals& intervals) {
  return intervals.size() == 1 && intervals.front() == All();
}

ValueInterval Hull(const ValueIntervals& intervals) {
  return {intervals.front().first, intervals.back().last};
}

// Whether an interval with the end `a` ends before one with the end `b`.  An
// end contains all that begins with it, so the longer one of two is before.
bool EndsBefore(std::string_view a, std::string_view b) {
  if (b.starts_with(a)) return false;
  return a.starts_with(b) || a < b;
}

ValueIntervals Unite(ValueIntervals a, ValueIntervals b) {
  if (AreAll(a)) return a;
  if (AreAll(b)) return b;
  ValueIntervals united;
  auto left = a.begin();
  auto right = b.begin();
  while (left != a.end() || right != b.end()) {
    const bool is_left =
        right == b.end() || (left != a.end() && left->first <= right->first);
    ValueInterval& next = is_left ? *left++ : *right++;
    const bool touches =
        !united.empty() && (next.first <= united.back().last ||
                            next.first.starts_with(united.back().last));
    if (!touches) {
      united.push_back(std::move(next));
    } else if (EndsBefore(united.back().last, next.last)) {
      united.back().last = std::move(next.last);
    }
  }
  if (united.size() > kMaxRanges) united = {Hull(united)};
  return united;
}

ValueIntervals Intersect(const ValueIntervals& a, ValueIntervals b) {
  if (a.size() * b.size() > kMaxPairs) b = {Hull(b)};
  ValueIntervals both;
  for (const ValueInterval& one : a) {
    for (const ValueInterval& other : b) {
      ValueInterval common{
          std::max(one.first, other.first),
          EndsBefore(other.last, one.last) ? other.last : one.last};
      const bool is_empty =
          common.last < common.first && !common.first.starts_with(common.last);
      if (!is_empty) both.push_back(std::move(common));
    }
  }
  return both;
}

bool IsNan(const Value& value) {
  return value.type() == EdmType::kDouble && std::isnan(value.real());
}

// The default dialect converts an Int64 for a Double property, and so may find
// values besides.
ValueInterval EqualTo(const FilterNode& leaf, const Value& literal) {
  ValueInterval equal{IndexBytesOf(&literal), {}};
  equal.last = equal.first;
  if (literal.type() != EdmType::kInt64 || leaf.by_value) return equal;
  const Value real = Value::Double(static_cast<double>(literal.int64()));
  const std::string bytes = IndexBytesOf(&real);
  return {std::min(equal.first, bytes), std::max(equal.last, bytes)};
}

// Where the comparison can be true.  In the default dialect, values that do not
// compare with the literal count as less: those of other kinds, and numbers of
// narrower types.
ValueIntervals LeafIntervals(const FilterNode& leaf) {
  const bool is_comparison = leaf.kind == FilterNodeKind::kCompare;
  const Value literal = is_comparison ? leaf.literal : Value::Boolean(true);
  const CompareOp op = is_comparison ? leaf.op : CompareOp::kEqual;
  if (op == CompareOp::kNotEqual || IsNan(literal)) return {Present()};
  const ValueInterval equal = EqualTo(leaf, literal);
  const auto kind = static_cast<OrderKind>(equal.first.front());
  switch (op) {
    case CompareOp::kEqual:
      return {equal};
    case CompareOp::kGreaterThan:
    case CompareOp::kGreaterThanOrEqual:
      return {{equal.first, EndOf(kind)}};
    default:
      break;
  }
  if (leaf.by_value) return {{StartOf(kind), equal.last}};
  if (kind == OrderKind::kNumber && literal.type() != EdmType::kInt32) {
    return {Present()};
  }
  ValueIntervals less = {{StartOf(OrderKind::kBoolean), equal.last}};
  if (kind != OrderKind::kBinary) {
    less.push_back(
        {StartOf(static_cast<OrderKind>(static_cast<std::uint8_t>(kind) + 1)),
         std::string(kEnd)});
  }
  return less;
}

ValueIntervals TakeLast(std::vector<ValueIntervals>& stack) {
  ValueIntervals last = std::move(stack.back());
  stack.pop_back();
  return last;
}

// Makes one of the last two: of `and`, or of `or`.
void Join(bool is_and, bool of_items, std::vector<ValueIntervals>& stack) {
  ValueIntervals right = TakeLast(stack);
  ValueIntervals& left = stack.back();
  if (!is_and) {
    left = Unite(std::move(left), std::move(right));
  } else if (!of_items) {
    left = Intersect(left, std::move(right));
  } else if (AreAll(left)) {
    left = std::move(right);
  }
}

bool IsItem(const ExpressionNode& node) {
  return node.kind == ExpressionKind::kItem && node.name.empty();
}

ValueIntervals IntervalsOf(CompareOp op, const Value& literal) {
  return LeafIntervals({.kind = FilterNodeKind::kCompare,
                        .op = op,
                        .literal = Narrowed(literal),
                        .by_value = true});
}

// Of a comparison of an item with literals.
ValueIntervals ItemIntervals(const ExpressionNode& node,
                             std::span<const ExpressionNode> operands) {
  const bool turned = IsItem(operands.back());
  const ExpressionNode& item = turned ? operands.back() : operands.front();
  const auto literals =
      turned ? operands.first(operands.size() - 1) : operands.subspan(1);
  const auto is_literal = [](const ExpressionNode& one) {
    return one.kind == ExpressionKind::kLiteral;
  };
  const bool is_comparison = node.kind == ExpressionKind::kCompare;
  const bool is_known =
      (is_comparison || (node.kind == ExpressionKind::kIn && !turned)) &&
      IsItem(item) && std::ranges::all_of(literals, is_literal);
  if (!is_known) return {All()};
  const CompareOp op = turned ? Mirrored(node.op) : node.op;
  ValueIntervals found;
  for (const ExpressionNode& literal : literals) {
    found = Unite(std::move(found), IntervalsOf(op, literal.literal));
  }
  return found;
}

// Of a condition on one item.  If the operands of a comparison are leaves, they
// are the nodes before it.
ValueIntervals BodyIntervals(Expression body) {
  std::vector<ValueIntervals> stack;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const ExpressionNode& node = body[i];
    if (node.kind == ExpressionKind::kNot) {
      stack.back() = {All()};
    } else if (node.kind == ExpressionKind::kAnd ||
               node.kind == ExpressionKind::kOr) {
      Join(node.kind == ExpressionKind::kAnd, /*of_items=*/false, stack);
    } else if (IsCondition(node.kind)) {
      stack.push_back(
          ItemIntervals(node, body.subspan(i - node.operands, node.operands)));
    }
  }
  return TakeLast(stack);
}

// Of one leaf.
ValueIntervals LeafIntervals(const Filter& filter, const FilterNode& leaf,
                             const IndexTerm& term) {
  if (leaf.kind != FilterNodeKind::kTest) {
    const bool is_it = leaf.name == term.name && !term.is_items;
    return is_it ? LeafIntervals(leaf) : ValueIntervals{All()};
  }
  const Expression test = filter.TestOf(leaf);
  const ExpressionNode& any = test.back();
  const bool is_it = term.is_items && any.kind == ExpressionKind::kAny &&
                     any.name.empty() && test.front().name == term.name;
  if (!is_it) return {All()};
  const ValueIntervals found =
      BodyIntervals(test.subspan(test.size() - 1 - any.body, any.body));
  const std::string many(kManyItems);
  return Unite(found, {{many, many}});
}

// Where the values of one term of all matches are.
ValueIntervals IntervalsOf(const Filter& filter, const IndexTerm& term) {
  std::vector<ValueIntervals> stack;
  for (const FilterNode& node : filter.nodes()) {
    switch (node.kind) {
      case FilterNodeKind::kNot:
        // The intervals may also hold values that do not match, so their
        // complement could miss matches.
        stack.back() = {All()};
        break;
      case FilterNodeKind::kAnd:
      case FilterNodeKind::kOr:
        Join(node.kind == FilterNodeKind::kAnd, term.is_items, stack);
        break;
      case FilterNodeKind::kConstant:
        stack.emplace_back();
        if (node.literal.boolean()) stack.back().push_back(All());
        break;
      default:
        stack.push_back(LeafIntervals(filter, node, term));
        break;
    }
  }
  return TakeLast(stack);
}

// The range of the index behind a prefix.
IndexPlan::Range RangeOf(const std::string& prefix,
                         const ValueInterval& interval, bool descends) {
  IndexPlan::Range range{prefix, prefix};
  const auto& [first, last] = interval;
  AppendIndexText(descends ? last : first, descends, range.first);
  AppendIndexText(descends ? first : last, descends, range.last);
  return range;
}

}  // namespace

IndexPlan PlanIndex(const Filter& filter, const IndexTerms& terms) {
  IndexPlan plan{.ranges = {{}}};
  for (const IndexTerm& term : terms) {
    const bool descends = term.descends;
    ValueIntervals intervals = IntervalsOf(filter, term);
    if (AreAll(intervals)) break;
    if (intervals.size() * plan.ranges.size() > kMaxRanges) {
      intervals = {Hull(intervals)};
    }
    if (descends) std::ranges::reverse(intervals);
    std::vector<IndexPlan::Range> ranges;
    for (const IndexPlan::Range& range : plan.ranges) {
      for (const ValueInterval& interval : intervals) {
        ranges.push_back(RangeOf(range.first, interval, descends));
      }
    }
    plan.ranges = std::move(ranges);
    plan.has_range = !std::ranges::all_of(intervals, &ValueInterval::is_value);
    if (plan.has_range) break;
    const bool is_fixed = plan.fixed_terms == plan.equal_terms++;
    if (is_fixed && intervals.size() <= 1) ++plan.fixed_terms;
  }
  return plan;
}

}  // namespace entitable
