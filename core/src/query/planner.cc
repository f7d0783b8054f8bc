// A condition on a key is a box in the plane of PartitionKeys and RowKeys.  The
// box of PartitionKey ge 'b' and PartitionKey lt 'd' and RowKey gt '5':
//
//   RowKey
//     |      +-----+
//     |      | box |
//   '5'      +-----+
//     |
//     +------+-----+---- PartitionKey
//           'b'   'd'
//
// `and` intersects the boxes of its sides, each with each, and `or` puts them
// together.  Conditions on other properties are the whole plane.  So is `not`:
// boxes may be too wide, and what is outside of a box that is too wide may be
// too little.  So a plan never misses a match, while it may have more.
//
// The entities lie in the order of the plane's columns, from left to right, and
// within a column upwards.  So a box that is one column wide is one range of
// keys.  A wider box begins with its first row in its first column and ends
// with its last row in its last column, where these columns are known.  Between
// them its range has all rows, also those outside of the box, because a range
// for each column would need to know which columns there are.
//
// The ranges are sorted by their beginnings, and those that overlap or touch
// become one.  So a scan reads each entity once and in the order of the keys.
//
// Filters come from strangers, so boxes are counted.  Where there are too many
// of them, or too many pairs to intersect, the one box around them takes their
// place.  The plan is then coarser and still right.

#include "query/planner.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/heap_sort.h"

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
  bool TrySpend(std::size_t pairs) {
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
  if (!budget.TrySpend(a.size() * b.size())) {
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

// --------------------------------------------------------------------- planner

namespace {

KeyBound RowBound(std::string_view partition, const Cut& row) {
  return {{std::string(partition), std::string(row.text)}, row.after};
}

bool IsFirstOfAll(const KeyBound& bound) {
  return bound.key == EntityKey{} && !bound.after;
}

// The range from the first entity that the box can contain to the last one.  In
// the partitions between its ends, the range also includes rows outside the
// box.
KeyRange RangeAround(const Box& box) {
  // Without bounds on the partition, bounds on the row do not help.
  if (box.partition == Interval()) return {};
  const Cut& first = box.partition.lower;
  const Cut& last = box.partition.upper;
  KeyRange range;
  range.lower = first.after ? EndOfPartition(first.text)
                            : RowBound(first.text, box.row.lower);
  if (IsFirstOfAll(*range.lower)) range.lower.reset();
  if (last.is_end) return range;
  if (!last.after) {
    range.upper = StartOfPartition(last.text);
  } else if (box.row.upper.is_end) {
    range.upper = EndOfPartition(last.text);
  } else {
    range.upper = RowBound(last.text, box.row.upper);
  }
  return range;
}

bool StartsEarlier(const KeyRange& a, const KeyRange& b) {
  if (!a.lower || !b.lower) return !a.lower && b.lower;
  return *a.lower < *b.lower;
}

// Whether `next`, which does not start earlier, starts within `range` or
// directly behind it.
bool Touches(const KeyRange& range, const KeyRange& next) {
  return !range.upper || !next.lower || *next.lower <= *range.upper;
}

bool EndsEarlier(const KeyRange& a, const KeyRange& b) {
  if (!a.upper || !b.upper) return a.upper && !b.upper;
  return *a.upper < *b.upper;
}

void AppendQuoted(std::string_view text, std::string& out) {
  out.push_back('\'');
  for (const char c : text) {
    c == '\0' ? out.append("\\0") : out.append(1, c);
  }
  out.push_back('\'');
}

void AppendKey(const EntityKey& key, std::string& out) {
  AppendQuoted(key.partition_key, out);
  out.push_back('/');
  AppendQuoted(key.row_key, out);
}

}  // namespace

std::vector<KeyRange> PlanRanges(const Filter& filter) {
  std::vector<KeyRange> parts;
  for (const Box& box : BoxesOf(filter)) {
    KeyRange part = RangeAround(box);
    if (!part.is_empty()) parts.push_back(std::move(part));
  }
  HeapSort(parts, StartsEarlier);

  std::vector<KeyRange> ranges;
  for (KeyRange& part : parts) {
    if (ranges.empty() || !Touches(ranges.back(), part)) {
      ranges.push_back(std::move(part));
    } else if (EndsEarlier(ranges.back(), part)) {
      ranges.back().upper = std::move(part.upper);
    }
  }
  return ranges;
}

std::string ToString(const std::vector<KeyRange>& ranges) {
  std::string text;
  for (const KeyRange& range : ranges) {
    if (!text.empty()) text.push_back(' ');
    if (range.lower) {
      text.push_back(range.lower->after ? '(' : '[');
      AppendKey(range.lower->key, text);
    } else {
      text.append("(-inf");
    }
    text.append(", ");
    if (range.upper) {
      AppendKey(range.upper->key, text);
      text.push_back(range.upper->after ? ']' : ')');
    } else {
      text.append("+inf)");
    }
  }
  return text;
}

// ---------------------------------------------------------------- range filter

namespace {

// A conjunction of these makes one box, which has exactly the matches.
bool IsOfRange(const FilterNode& node) {
  if (node.kind == FilterNodeKind::kCompare) {
    return (node.name == "PartitionKey" || node.name == "RowKey") &&
           node.literal.type() == EdmType::kString &&
           node.op != CompareOp::kNotEqual;
  }
  return node.kind == FilterNodeKind::kAnd ||
         node.kind == FilterNodeKind::kConstant;
}

bool IsOneString(const Interval& interval) {
  const auto& [lower, upper] = interval;
  return !lower.after && upper.after && lower.text == upper.text;
}

}  // namespace

// In several partitions, a condition on the RowKey leaves gaps in the range.
bool IsRangeFilter(const Filter& filter) {
  return std::ranges::all_of(filter.nodes(), IsOfRange) &&
         std::ranges::all_of(BoxesOf(filter), [](const Box& box) {
           return box.row == Interval() || IsOneString(box.partition);
         });
}

}  // namespace entitable
