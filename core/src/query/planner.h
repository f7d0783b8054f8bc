// planner.h - the third stage of a filter: computes the key ranges in which
// matches can lie.
//
// Each condition on a key becomes a box: an interval of PartitionKeys times an
// interval of RowKeys.  `and` intersects boxes, `or` unites them.  The boxes
// then become disjoint key ranges.

#ifndef ENTITABLE_QUERY_PLANNER_H_
#define ENTITABLE_QUERY_PLANNER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/key_range.h"
#include "query/filter.h"

namespace entitable {

// How much of a table a plan reads, the cheapest first.
enum class AccessPath : std::uint8_t {
  kNothing,
  kPoint,
  kRowRange,        // A part of one partition.
  kPartitionScan,   // All of one partition.
  kPartitionRange,  // Several adjacent partitions.
  kTableScan,
};

// Ranges that contain every entity that can match the filter: in key order,
// disjoint, none empty.  They may contain other entities, too, so the filter
// must still be tested.  If there are no ranges, nothing can match.
//
// The end of partition p is the position before (p + U+0000, ""): no string
// lies between p and p + U+0000, and no key contains U+0000.
std::vector<KeyRange> PlanRanges(const Filter& filter);

// The most expensive path among the ranges.
AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges);

// For example "point".
std::string_view AccessPathName(AccessPath path);

// All ranges in order.  A bracket means that the end belongs to the range, a
// parenthesis that it does not: ['p'/'e2', 'p'/'e4') or (-inf, +inf).
std::string ToString(const std::vector<KeyRange>& ranges);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PLANNER_H_
