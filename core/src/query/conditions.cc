// The form in which rows are tested, of P eq 1 or P eq 2 or Q gt 3 and not R:
//
//  1. Chains.  Operands of nested `or`s become operands of one `or`, however
//     they are bracketed, and the same with `and`:
//       or [ P eq 1, P eq 2, and [ Q gt 3, not [ R ] ] ]
//     The shorter chain joins the longer one, so an operand moves only when its
//     chain at least doubles: a filter of n conditions takes n log n moves.
//  2. Sets.  Comparisons of one property with eq in an `or`, or with ne in an
//     `and`, become one condition with a sorted set: P among { 1, 2 }.
//  3. Nodes.  The tree is written in postfix order again, with two operands for
//     each `and` and `or`, since that is what a stack of answers can evaluate.
//  4. Answers.  Each leaf learns where its answer leads.  A row is tested by a
//     walk from leaf to leaf, which looks only at what still matters:
//
//       leaf                    if true     if false
//       0  P among { 1, 2 }     match       1
//       1  Q gt 3               2           no match
//       2  R                    no match    match      under `not`
//
// The trees may be as deep as a filter is long.  So every step has a stack of
// its own instead of recursion.

#include "query/conditions.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "model/parts.h"

namespace entitable {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

bool IsJoin(ConditionKind kind) { return kind > ConditionKind::kNot; }

std::uint32_t LastOf(const auto& list) {
  return static_cast<std::uint32_t>(list.size() - 1);
}

}  // namespace

// First builds a tree in which each chain of `and` or `or` is one node, however
// it is bracketed.  Then makes the sets, then the final nodes.
class Conditions::Builder {
 public:
  Builder(const Filter& filter, Conditions& conditions)
      : filter_(filter), to_(conditions) {}

  void Run() {
    NumberFurtherParts();
    const std::uint32_t root = Collect();
    for (std::size_t i = 0; i < parts_.size(); ++i) MakeSets(i);
    for (std::vector<Value>& literals : literals_) {
      to_.sets_.emplace_back(std::move(literals));
    }
    Emit(root);
  }

 private:
  struct Part {
    Condition node;
    std::vector<std::uint32_t> operands = {};
  };

  std::uint32_t Add(Part part) {
    parts_.push_back(std::move(part));
    return LastOf(parts_);
  }

  // The names of the further parts of a text are the first of all, so that
  // their numbers follow one another.  No two texts share one.
  void NumberFurtherParts() {
    for (const FilterNode& leaf : filter_.nodes()) {
      for (const ExpressionNode& node : filter_.TestOf(leaf)) {
        if (node.kind != ExpressionKind::kWhole) continue;
        for (std::size_t number = 2; number <= kMaxParts; ++number) {
          to_.names_.FindOrAdd(PartName(node.name, number));
        }
      }
    }
  }

  // Builds the tree and returns its root.
  std::uint32_t Collect() {
    std::vector<std::uint32_t> stack;
    for (const FilterNode& node : filter_.nodes()) {
      if (node.kind < FilterNodeKind::kNot) {
        stack.push_back(Add({LeafOf(node)}));
      } else if (node.kind == FilterNodeKind::kNot) {
        stack.back() = Add({{.kind = ConditionKind::kNot}, {stack.back()}});
      } else {
        const std::uint32_t right = stack.back();
        stack.pop_back();
        stack.back() =
            Join(node.kind == FilterNodeKind::kAnd ? ConditionKind::kAnd
                                                   : ConditionKind::kOr,
                 stack.back(), right);
      }
    }
    return stack.back();
  }

  std::uint32_t NumberOf(std::string_view name) {
    return static_cast<std::uint32_t>(to_.names_.FindOrAdd(name));
  }

  // A leaf that only names a property compares the property with `true`.
  Condition LeafOf(const FilterNode& leaf) {
    if (leaf.kind == FilterNodeKind::kConstant) {
      return {.kind = ConditionKind::kConstant, .literal = leaf.literal};
    }
    if (leaf.kind == FilterNodeKind::kTest) return TestOf(leaf);
    const std::uint32_t property = NumberOf(leaf.name);
    const bool is_comparison = leaf.kind == FilterNodeKind::kCompare;
    return {.kind = ConditionKind::kCompare,
            .op = leaf.op,
            .property = property,
            .literal = is_comparison ? leaf.literal : Value::Boolean(true),
            .by_value = leaf.by_value};
  }

  Condition TestOf(const FilterNode& leaf) {
    std::vector<ExpressionNode>& nodes = to_.expressions_;
    const auto first = static_cast<std::uint32_t>(nodes.size());
    for (ExpressionNode node : filter_.TestOf(leaf)) {
      const bool is_whole = node.kind == ExpressionKind::kWhole;
      if (is_whole || node.kind == ExpressionKind::kProperty) {
        node.property = NumberOf(node.name);
      }
      if (is_whole) node.further = NumberOf(PartName(node.name, 2));
      nodes.push_back(node);
    }
    return {.kind = ConditionKind::kTest, .first = first, .count = leaf.count};
  }

  // The longer chain absorbs the operands of the shorter one.
  std::uint32_t Join(ConditionKind kind, std::uint32_t a, std::uint32_t b) {
    const auto length = [&](std::uint32_t part) {
      return parts_[part].node.kind == kind ? parts_[part].operands.size() : 0;
    };
    if (length(a) == 0 && length(b) == 0) return Add({{.kind = kind}, {a, b}});
    if (length(a) < length(b)) std::swap(a, b);
    std::vector<std::uint32_t>& operands = parts_[a].operands;
    if (length(b) == 0) {
      operands.push_back(b);
    } else {
      std::vector<std::uint32_t>& others = parts_[b].operands;
      operands.insert(operands.end(), others.begin(), others.end());
      others.clear();
    }
    return a;
  }

  // Whether the operand of such a chain can be an element of a set.
  bool CanBeAmong(ConditionKind chain, std::uint32_t part) const {
    const Condition& node = parts_[part].node;
    return node.kind == ConditionKind::kCompare && FitsSet(node) &&
           node.op == (chain == ConditionKind::kOr ? CompareOp::kEqual
                                                   : CompareOp::kNotEqual);
  }

  // Whether a set, which converts literals to the type of the property, finds
  // the same as the comparison.
  static bool FitsSet(const Condition& comparison) {
    const EdmType type = comparison.literal.type();
    return !comparison.by_value ||
           (comparison.op == CompareOp::kEqual && type != EdmType::kInt64 &&
            type != EdmType::kDouble);
  }

  // If several operands compare the same property, the first one becomes the
  // set and the others are removed.
  void MakeSets(std::size_t chain) {
    const ConditionKind kind = parts_[chain].node.kind;
    if (!IsJoin(kind)) return;
    firsts_.resize(to_.names_.size(), kNone);
    std::vector<std::uint32_t>& operands = parts_[chain].operands;
    std::vector<std::uint32_t> properties;
    std::erase_if(operands, [&](std::uint32_t operand) {
      if (!CanBeAmong(kind, operand)) return false;
      const Condition& node = parts_[operand].node;
      std::uint32_t& first = firsts_[node.property];
      if (first == kNone) {
        first = operand;
        properties.push_back(node.property);
        return false;
      }
      AddToSet(parts_[first].node, node.literal);
      return true;
    });
    for (const std::uint32_t property : properties) firsts_[property] = kNone;
  }

  void AddToSet(Condition& first, const Value& literal) {
    if (first.kind == ConditionKind::kCompare) {
      first.kind = ConditionKind::kAmong;
      literals_.push_back({first.literal});
      first.set = LastOf(literals_);
    }
    literals_[first.set].push_back(literal);
  }

  // A node that is being written, and the next operand to write.
  struct OpenNode {
    std::uint32_t part;
    std::size_t next = 0;
    std::uint32_t left = 0;
  };

  void Emit(std::uint32_t root) {
    std::vector<Condition>& nodes = to_.nodes_;
    std::vector<OpenNode> open = {{root}};
    while (!open.empty()) {
      OpenNode& top = open.back();
      const Part& part = parts_[top.part];
      const bool is_join = IsJoin(part.node.kind);
      // An operand was written since the last visit.
      if (is_join && top.next > 1) {
        nodes.push_back(part.node);
        nodes.back().left = top.left;
      }
      if (is_join && top.next > 0) top.left = LastOf(nodes);
      if (top.next < part.operands.size()) {
        open.push_back({part.operands[top.next++]});
        continue;
      }
      if (!is_join) nodes.push_back(part.node);
      open.pop_back();
    }
  }

  const Filter& filter_;
  Conditions& to_;
  std::vector<Part> parts_;
  std::vector<std::vector<Value>> literals_;  // By set.
  // By property: the first operand that compares it, or kNone.
  std::vector<std::uint32_t> firsts_;
};

Conditions::Conditions(const Filter& filter) {
  Builder(filter, *this).Run();
  LinkAnswers();
  MeasureDepth();
}

// From the root down, that is from the back: each parent tells where the
// answers of its children lead.
void Conditions::LinkAnswers() {
  nodes_.back().on_true = kMatch;
  nodes_.back().on_false = kNoMatch;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Condition& node = nodes_[i];
    if (node.is_leaf()) continue;
    Condition& right = nodes_[i - 1];
    right.on_true = node.on_true;
    right.on_false = node.on_false;
    if (node.kind == ConditionKind::kNot) {
      std::swap(right.on_true, right.on_false);
      continue;
    }
    const bool is_and = node.kind == ConditionKind::kAnd;
    const std::uint32_t first_of_right = node.left + 1;
    Condition& left = nodes_[node.left];
    left.on_true = is_and ? first_of_right : node.on_true;
    left.on_false = is_and ? node.on_false : first_of_right;
  }
}

void Conditions::MeasureDepth() {
  std::size_t depth = 0;
  for (const Condition& node : nodes_) {
    if (node.is_leaf()) max_depth_ = std::max(max_depth_, ++depth);
    if (IsJoin(node.kind)) --depth;
  }
}

}  // namespace entitable
