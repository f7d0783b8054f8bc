// ordered_request.h - an ordered query that has passed every check that needs
// no stored data, and its continuation tokens.

#ifndef ENTITABLE_READ_ORDERED_ORDERED_REQUEST_H_
#define ENTITABLE_READ_ORDERED_ORDERED_REQUEST_H_

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "query/order.h"
#include "read/read_request.h"

namespace entitable {

// Where an ordered query is.
struct OrderPlace {
  // The order key of the last entity so far; empty at the beginning.
  std::string after = {};
  std::uint64_t skip = 0;  // How many entities to leave out from here.
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
};

struct OrderedRequest {
  QueryEntitiesRequest query;
  std::vector<OrderTerm> terms;
  OrderPlace place = {};

  // The same for two requests if they go through the same entities in the same
  // order.
  std::string subject = {};
};

// Fails with InvalidInput, and as ReadQuery() for a query without an order.
Result<OrderedRequest> ReadQuery(const QueryOrdered& operation,
                                 std::string_view base_url);

// The token of a place, which only ReadQuery() with the same order takes.
std::string EncodePlace(const OrderPlace& place,
                        const std::vector<OrderTerm>& terms);

}  // namespace entitable

#endif  // ENTITABLE_READ_ORDERED_ORDERED_REQUEST_H_
