// order.h - the properties by which a query orders entities ($orderby).
//
// Source: OData 3.0, URL conventions, 5.1.3, for names alone.  The service has
// no such option.

#ifndef ENTITABLE_QUERY_ORDER_H_
#define ENTITABLE_QUERY_ORDER_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"

namespace entitable {

inline constexpr std::size_t kMaxOrderTerms = 16;

struct OrderTerm {
  std::string name;
  bool descends = false;

  bool operator==(const OrderTerm&) const = default;
};

// Reads names separated by commas, each with an optional `asc` or `desc`, and
// optional blanks.  Blank text has no terms.  Fails with InvalidInput if a name
// is invalid or repeated, another word follows it, or there are too many.
Result<std::vector<OrderTerm>> ParseOrder(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_ORDER_H_
