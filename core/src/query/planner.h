// planner.h - the third stage of a filter: computes the key ranges in which
// matches can lie.
//
// The conditions on keys become boxes (key_boxes.h), and the boxes become
// disjoint key ranges.

#ifndef ENTITABLE_QUERY_PLANNER_H_
#define ENTITABLE_QUERY_PLANNER_H_

#include <string>
#include <vector>

#include "model/entity_key.h"
#include "query/filter.h"

namespace entitable {

// Ranges that contain every entity that can match the filter: in key order,
// disjoint, none empty.  They may contain other entities, too, so the filter
// must still be tested.  If there are no ranges, nothing can match.
std::vector<KeyRange> PlanRanges(const Filter& filter);

// All ranges in order.  A bracket means that the end belongs to the range, a
// parenthesis that it does not: ['p'/'e2', 'p'/'e4') or (-inf, +inf).
std::string ToString(const std::vector<KeyRange>& ranges);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PLANNER_H_
