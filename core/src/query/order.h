// order.h - the properties by which a query orders entities ($orderby), or
// makes groups of them.
//
// Source: OData 3.0, URL conventions, 5.1.3, for names alone.  The service has
// no such option.

#ifndef ENTITABLE_QUERY_ORDER_H_
#define ENTITABLE_QUERY_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"
#include "model/value.h"
#include "query/expression.h"

namespace entitable {

// The words of the terms of a query option: `A desc, B`.

// Removes the text up to the first comma and returns it; nothing at the end.
inline std::optional<std::string_view> ReadTerm(
    std::optional<std::string_view>& text) {
  if (!text) return std::nullopt;
  const std::string_view whole = *text;
  const std::size_t comma = whole.find(',');
  text.reset();
  if (comma != std::string_view::npos) text = whole.substr(comma + 1);
  return whole.substr(0, comma);
}

// Removes the first word of the term and returns it; empty if there is none.
inline std::string_view ReadWord(std::string_view& term) {
  constexpr std::string_view kBlanks = " \t";
  term.remove_prefix(std::min(term.find_first_not_of(kBlanks), term.size()));
  const std::string_view word = term.substr(0, term.find_first_of(kBlanks));
  term.remove_prefix(word.size());
  return word;
}

// ----------------------------------------------------------------------- order

inline constexpr std::size_t kMaxOrderTerms = 16;

struct OrderTerm {
  std::string name;
  bool descends = false;
  std::optional<DatePart> part = {};  // Of the DateTimes of the property.
  bool is_items = false;              // Those of the array; of an index.

  // What counts of the property's value: the value, or its part.  Nothing if
  // the entity does not have it.
  std::optional<Value> ValueOf(const Value* value) const;

  bool operator==(const OrderTerm&) const = default;
};

// Reads names separated by commas, each with an optional `asc` or `desc`, and
// optional blanks.  Blank text has no terms.  Fails with InvalidInput if a name
// is invalid or repeated, another word follows it, or there are too many.
Result<std::vector<OrderTerm>> ParseOrder(std::string_view text);

// Reads the terms of an index: of one of them, the name may be in `items()`.
Result<std::vector<OrderTerm>> ParseIndex(std::string_view text);

// Reads the same terms, of which each may have a function around its name:
// `year(Born) desc`.  A name may occur again with another function.
Result<std::vector<OrderTerm>> ParseGroups(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_ORDER_H_
