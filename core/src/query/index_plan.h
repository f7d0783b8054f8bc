// index_plan.h - where in an index the entities can be that match a filter.

#ifndef ENTITABLE_QUERY_INDEX_PLAN_H_
#define ENTITABLE_QUERY_INDEX_PLAN_H_

#include <cstddef>
#include <string>
#include <vector>

#include "model/index_entry.h"
#include "query/filter.h"

namespace entitable {

struct IndexPlan {
  // Entries whose PartitionKeys are at or behind `first`, and are before `last`
  // or begin with it.  Both are ASCII.
  struct Range {
    std::string first;
    std::string last;

    bool operator==(const Range&) const = default;
  };

  // In order, and disjoint.  If there are none, nothing can match.
  std::vector<Range> ranges;

  // How many of the first terms the filter compares for equality.
  std::size_t equal_terms = 0;

  // How many of them have one value.  Behind these, the entries are in the
  // order of the next terms.
  std::size_t fixed_terms = 0;

  // Whether it limits the next term to a range.
  bool has_range = false;
};

// Of an index by values.  The ranges contain every entity that can match.  They
// may contain others, so the filter must still be tested.
IndexPlan PlanIndex(const Filter& filter, const IndexTerms& terms);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_INDEX_PLAN_H_
