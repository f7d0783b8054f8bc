#include "read/index/access_path.h"

#include <algorithm>
#include <string>

namespace entitable {
namespace {

AccessPath Classify(const KeyRange& range) {
  if (!range.upper) {
    return range.lower ? AccessPath::kPartitionRange : AccessPath::kTableScan;
  }
  // The first entity of a table can only be in partition "".
  const KeyBound lower = range.lower.value_or(StartOfPartition({}));
  const KeyBound& upper = *range.upper;
  if (lower.key == upper.key) return AccessPath::kPoint;

  const std::string& partition = lower.key.partition_key;
  const KeyBound end = EndOfPartition(partition);
  if (upper > end) return AccessPath::kPartitionRange;
  const bool is_whole = upper == end && lower == StartOfPartition(partition);
  return is_whole ? AccessPath::kPartitionScan : AccessPath::kRowRange;
}

}  // namespace

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

}  // namespace entitable
