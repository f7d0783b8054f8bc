// range_filter.h - filters that the key ranges of their plan replace.

#ifndef ENTITABLE_QUERY_RANGE_FILTER_H_
#define ENTITABLE_QUERY_RANGE_FILTER_H_

#include "query/filter.h"

namespace entitable {

// Whether all entities within PlanRanges(filter) match the filter, so that it
// need not be tested.  Only a conjunction of conditions on keys is recognised.
bool IsRangeFilter(const Filter& filter);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_RANGE_FILTER_H_
