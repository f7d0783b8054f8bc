// groups_request.h - a query for aggregates that has passed every check that
// needs no stored data.

#ifndef ENTITABLE_READ_GROUPS_GROUPS_REQUEST_H_
#define ENTITABLE_READ_GROUPS_GROUPS_REQUEST_H_

#include <cstddef>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "query/aggregate.h"
#include "query/order.h"
#include "read/read_request.h"

namespace entitable {

struct GroupsRequest {
  QueryEntitiesRequest query;
  std::vector<OrderTerm> group_by;
  std::vector<AggregateTerm> aggregates;

  // By aggregate: which one's accumulator has the values.  Aggregates that need
  // all numbers of one property share them; of others it is their own.
  //
  // So ten quantiles of one property keep and sort its numbers once.
  std::vector<std::size_t> sources;

  // Whether what the directory says of a page may be enough: there is one
  // group, with counts of entities, and least and greatest values.
  bool MayTakePages() const;
};

// Fails with InvalidInput, and as ReadQuery() for a query.
Result<GroupsRequest> ReadQuery(const QueryGroups& operation);

}  // namespace entitable

#endif  // ENTITABLE_READ_GROUPS_GROUPS_REQUEST_H_
