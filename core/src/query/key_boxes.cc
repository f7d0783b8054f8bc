#include "query/key_boxes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace entitable {
namespace {

// A plan with more boxes would cost more than it saves.  No chain of `or` in a
// filter can be this long.
constexpr std::size_t kMaxBoxes = 4096;

// The pairs of boxes that all `and`s together may intersect: some milliseconds
// of work.  A filter that would need more gets a coarser plan.
constexpr std::size_t kMaxBoxPairs = 32'768;

Interval Intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Interval Hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

// One box around all boxes, which must not be empty.
Boxes Hull(const Boxes& boxes) {
  Box hull = boxes.front();
  for (const Box& box : boxes) {
    hull.partition = Hull(hull.partition, box.partition);
    hull.row = Hull(hull.row, box.row);
  }
  return {hull};
}

// How many pairs of boxes may still be intersected.
class PairBudget {
 public:
  bool Take(std::size_t pairs) {
    if (pairs > left_) return false;
    left_ -= pairs;
    return true;
  }

 private:
  std::size_t left_ = kMaxBoxPairs;
};

// Whether the boxes contain all entities.
bool AreAll(const Boxes& boxes) {
  return boxes.size() == 1 && boxes.front() == Box();
}

Boxes Unite(Boxes a, Boxes b) {
  if (AreAll(a)) return a;
  if (AreAll(b)) return b;
  if (a.size() < b.size()) std::swap(a, b);
  a.insert(a.end(), b.begin(), b.end());
  return a.size() > kMaxBoxes ? Hull(a) : a;
}

Boxes Intersect(Boxes a, Boxes b, PairBudget& budget) {
  if (a.empty() || b.empty()) return {};
  if (AreAll(a)) return b;
  if (AreAll(b)) return a;
  if (a.size() < b.size()) std::swap(a, b);
  if (a.size() * b.size() > kMaxBoxes) b = Hull(b);
  if (!budget.Take(a.size() * b.size())) {
    a = Hull(a);
    b = Hull(b);
  }
  Boxes boxes;
  for (const Box& left : a) {
    for (const Box& right : b) {
      const Box box = {Intersection(left.partition, right.partition),
                       Intersection(left.row, right.row)};
      if (!box.is_empty()) boxes.push_back(box);
    }
  }
  return boxes;
}

// ---- Filter to boxes

// The interval of keys for which the comparison can be true.
Interval KeyInterval(CompareOp op, const Value& literal) {
  // Keys are Strings, which compare as less than literals of any other type.
  Cut before = Interval().upper;
  Cut after = before;
  if (literal.type() == EdmType::kString) {
    before = {.text = literal.string()};
    after = {.text = literal.string(), .after = true};
  }
  switch (op) {
    case CompareOp::kEqual:
      return {before, after};
    case CompareOp::kNotEqual:
      return {};
    case CompareOp::kLessThan:
      return {.upper = before};
    case CompareOp::kLessThanOrEqual:
      return {.upper = after};
    case CompareOp::kGreaterThan:
      return {.lower = after};
    case CompareOp::kGreaterThanOrEqual:
      return {.lower = before};
  }
  return {};
}

Boxes LeafBoxes(const FilterNode& leaf) {
  if (leaf.kind == FilterNodeKind::kConstant && !leaf.literal.boolean()) {
    return {};
  }
  Box box;
  if (leaf.kind == FilterNodeKind::kCompare) {
    if (leaf.name == "PartitionKey") {
      box.partition = KeyInterval(leaf.op, leaf.literal);
    } else if (leaf.name == "RowKey") {
      box.row = KeyInterval(leaf.op, leaf.literal);
    }
  }
  if (box.is_empty()) return {};
  return {box};
}

Boxes TakeLast(std::vector<Boxes>& stack) {
  Boxes last = std::move(stack.back());
  stack.pop_back();
  return last;
}

}  // namespace

Boxes BoxesOf(const Filter& filter) {
  PairBudget budget;
  std::vector<Boxes> stack;
  for (const FilterNode& node : filter.nodes()) {
    switch (node.kind) {
      case FilterNodeKind::kNot:
        // The boxes may be too wide, so entities within them may still match
        // the negation.
        stack.back() = {Box()};
        break;
      case FilterNodeKind::kAnd: {
        Boxes right = TakeLast(stack);
        stack.back() =
            Intersect(std::move(stack.back()), std::move(right), budget);
        break;
      }
      case FilterNodeKind::kOr: {
        Boxes right = TakeLast(stack);
        stack.back() = Unite(std::move(stack.back()), std::move(right));
        break;
      }
      default:
        stack.push_back(LeafBoxes(node));
        break;
    }
  }
  return TakeLast(stack);
}

}  // namespace entitable
