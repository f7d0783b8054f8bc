// order.h - the properties by which a query orders entities ($orderby), or
// makes groups of them.
//
// Source: OData 3.0, URL conventions, 5.1.3, for names alone.  The service has
// no such option.

#ifndef ENTITABLE_QUERY_ORDER_H_
#define ENTITABLE_QUERY_ORDER_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"
#include "model/value.h"
#include "query/date_part.h"

namespace entitable {

inline constexpr std::size_t kMaxOrderTerms = 16;

struct OrderTerm {
  std::string name;
  bool descends = false;
  std::optional<DatePart> part = {};  // Of the DateTimes of the property.

  // What counts of the property's value: the value, or its part.  Nothing if
  // the entity does not have it.
  std::optional<Value> ValueOf(const Value* value) const;

  bool operator==(const OrderTerm&) const = default;
};

// Reads names separated by commas, each with an optional `asc` or `desc`, and
// optional blanks.  Blank text has no terms.  Fails with InvalidInput if a name
// is invalid or repeated, another word follows it, or there are too many.
Result<std::vector<OrderTerm>> ParseOrder(std::string_view text);

// Reads the same terms, of which each may have a function around its name:
// `year(Born) desc`.  A name may occur again with another function.
Result<std::vector<OrderTerm>> ParseGroups(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_ORDER_H_
