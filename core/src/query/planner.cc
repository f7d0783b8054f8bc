#include "query/planner.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/utf.h"

namespace entitable {
namespace {

// A plan with more boxes would cost more than it saves.  No chain of `or` in a
// filter can be this long.
constexpr std::size_t kMaxBoxes = 4096;

// The pairs of boxes that all `and`s together may intersect: some milliseconds
// of work.  A filter that would need more gets a coarser plan.
constexpr std::size_t kMaxPairs = 32'768;

// ---- Boxes: the conditions of a filter on the two keys, each key by itself

// A position on the line of all strings: directly before or after a string, or
// at the end.  The line begins before the empty string.
struct Cut {
  std::string_view text;
  bool after = false;
  bool is_end = false;

  std::strong_ordering operator<=>(const Cut& other) const {
    if (is_end || other.is_end) return is_end <=> other.is_end;
    const auto order = CompareUtf16(text, other.text);
    return order != 0 ? order : after <=> other.after;
  }
  bool operator==(const Cut& other) const = default;
};

struct Interval {
  Cut lower = {};
  Cut upper = {.text = {}, .is_end = true};

  bool is_empty() const { return lower >= upper; }
  bool operator==(const Interval& other) const = default;
};

// All entities whose keys lie in both intervals.
struct Box {
  Interval partition;
  Interval row;

  bool is_empty() const { return partition.is_empty() || row.is_empty(); }
  bool operator==(const Box& other) const = default;
};

// The union of the boxes.  Empty boxes are left out.
using Boxes = std::vector<Box>;

Interval Intersection(const Interval& a, const Interval& b) {
  return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)};
}

Interval Hull(const Interval& a, const Interval& b) {
  return {std::min(a.lower, b.lower), std::max(a.upper, b.upper)};
}

// One box around all boxes, if there are too many.
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
  std::size_t left_ = kMaxPairs;
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

Boxes FilterBoxes(const Filter& filter) {
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

// ---- Boxes to ranges

std::strong_ordering Order(const KeyBound& a, const KeyBound& b) {
  const auto order = a.key <=> b.key;
  return order != 0 ? order : a.after <=> b.after;
}

KeyBound StartOfPartition(std::string_view partition) {
  return {{std::string(partition), {}}, false};
}

KeyBound EndOfPartition(std::string_view partition) {
  KeyBound end = StartOfPartition(partition);
  end.key.partition_key.push_back('\0');
  return end;
}

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
  return Order(*a.lower, *b.lower) < 0;
}

// Whether `next`, which does not start earlier, starts within `range` or
// directly behind it.
bool Touches(const KeyRange& range, const KeyRange& next) {
  return !range.upper || !next.lower || Order(*next.lower, *range.upper) <= 0;
}

bool EndsEarlier(const KeyRange& a, const KeyRange& b) {
  if (!a.upper || !b.upper) return a.upper && !b.upper;
  return Order(*a.upper, *b.upper) < 0;
}

bool IsEmpty(const KeyRange& range) {
  return range.lower && range.upper && Order(*range.lower, *range.upper) >= 0;
}

// ---- Classes of ranges

AccessPath Classify(const KeyRange& range) {
  if (!range.upper) {
    return range.lower ? AccessPath::kPartitionRange : AccessPath::kTableScan;
  }
  // The first entity of a table can only be in partition "".
  const KeyBound lower = range.lower.value_or(StartOfPartition({}));
  const KeyBound& upper = *range.upper;
  if (lower.key == upper.key) return AccessPath::kPoint;

  const std::string& partition = lower.key.partition_key;
  const auto order = Order(upper, EndOfPartition(partition));
  if (order > 0) return AccessPath::kPartitionRange;
  const bool is_whole =
      order == 0 && Order(lower, StartOfPartition(partition)) == 0;
  return is_whole ? AccessPath::kPartitionScan : AccessPath::kRowRange;
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
  for (const Box& box : FilterBoxes(filter)) {
    KeyRange part = RangeAround(box);
    if (!IsEmpty(part)) parts.push_back(std::move(part));
  }
  // Heap sort, because std::sort adds more wasm.
  std::make_heap(parts.begin(), parts.end(), StartsEarlier);
  std::sort_heap(parts.begin(), parts.end(), StartsEarlier);

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

AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges) {
  AccessPath costliest = AccessPath::kNothing;
  for (const KeyRange& range : ranges) {
    costliest = std::max(costliest, Classify(range));
  }
  return costliest;
}

std::string_view AccessPathName(AccessPath path) {
  switch (path) {
    case AccessPath::kNothing:
      return "nothing";
    case AccessPath::kPoint:
      return "point";
    case AccessPath::kRowRange:
      return "row range";
    case AccessPath::kPartitionScan:
      return "partition scan";
    case AccessPath::kPartitionRange:
      return "partition range";
    case AccessPath::kTableScan:
      return "table scan";
  }
  return {};
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

}  // namespace entitable
