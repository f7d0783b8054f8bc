#include "query/range_filter.h"

#include <algorithm>

#include "query/key_boxes.h"

namespace entitable {
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
