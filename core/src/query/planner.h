// planner.h - the third stage of a filter: where can its matches lie?

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
  kPartitionRange,  // A run of partitions.
  kTableScan,
};

// Ranges that hold every entity for which the filter can be true: in key order,
// disjoint, none empty.  They may hold others too, so the filter must still be
// asked.  No range at all means that nothing can match.
//
// The end of partition p is the place before (p + U+0000, ""): no string lies
// between p and p + U+0000, and U+0000 is legal in no key.
std::vector<KeyRange> PlanRanges(const Filter& filter);

// The costliest path among the ranges.
AccessPath ClassifyAccess(const std::vector<KeyRange>& ranges);

// "point" and so on.
std::string_view AccessPathName(AccessPath path);

// One after another, with a bracket where the end belongs to the range and a
// parenthesis where not: ['p'/'e2', 'p'/'e4') or (-inf, +inf).
std::string ToString(const std::vector<KeyRange>& ranges);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PLANNER_H_
