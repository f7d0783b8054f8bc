// planner.h - which ranges of keys a filter needs.
//
// The third stage of a filter.  The conditions on keys become boxes, and the
// boxes become disjoint key ranges.

#ifndef ENTITABLE_QUERY_PLANNER_H_
#define ENTITABLE_QUERY_PLANNER_H_

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "base/utf.h"
#include "model/entity_key.h"
#include "query/filter.h"

namespace entitable {

// The conditions of a filter on the two keys, each key by itself.
//
// Each condition on a key becomes a box: an interval of PartitionKeys times an
// interval of RowKeys.  `and` intersects boxes, `or` unites them.

// A position on the line of all strings: directly before or after a string, or
// at the end.  The line begins before the empty string.  An interval begins and
// ends at cuts, so it needs no flags for bounds that belong to it or not.
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

// The strings between two cuts; by default all.  `eq 'b'` is the interval from
// the cut before 'b' to the cut after 'b'; `lt 'b'` ends at the cut before 'b'.
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

// Boxes that contain every entity that can match the filter.  They are views of
// its text.
Boxes BoxesOf(const Filter& filter);

// --------------------------------------------------------------------- planner

// Ranges that contain every entity that can match the filter: in key order,
// disjoint, none empty.  They may contain other entities, too, so the filter
// must still be tested.  If there are no ranges, nothing can match.
std::vector<KeyRange> PlanRanges(const Filter& filter);

// All ranges in order.  A bracket means that the end belongs to the range, a
// parenthesis that it does not: ['p'/'e2', 'p'/'e4') or (-inf, +inf).
std::string ToString(const std::vector<KeyRange>& ranges);

// ---------------------------------------------------------------- range filter

// Filters that the key ranges of their plan replace.

// Whether all entities within PlanRanges(filter) match the filter, so that it
// need not be tested.  Only a conjunction of conditions on keys is recognised.
bool IsRangeFilter(const Filter& filter);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PLANNER_H_
