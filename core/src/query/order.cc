#include "query/order.h"

#include <algorithm>
#include <optional>

#include "model/property_name.h"
#include "query/term_words.h"

namespace entitable {
namespace {

Failure Wrong(const char* text) { return Fail(ErrorCode::kInvalidInput, text); }

}  // namespace

Result<std::vector<OrderTerm>> ParseOrder(std::string_view text) {
  std::vector<OrderTerm> terms;
  std::string_view first = text;
  if (TakeWord(first).empty()) return terms;
  std::optional<std::string_view> rest = text;
  while (auto term = TakeTerm(rest)) {
    const std::string_view name = TakeWord(*term);
    const std::string_view direction = TakeWord(*term);
    const bool descends = direction == "desc";
    const bool is_known =
        (direction.empty() || direction == "asc" || descends) &&
        TakeWord(*term).empty();
    if (!is_known || !CheckPropertyName(name)) {
      return Wrong(
          "An order is the name of a property, or a name and asc or desc.");
    }
    if (std::ranges::find(terms, name, &OrderTerm::name) != terms.end()) {
      return Wrong("The order has a name twice.");
    }
    if (terms.size() == kMaxOrderTerms) {
      return Wrong("The order has more than 16 names.");
    }
    terms.push_back({std::string(name), descends});
  }
  return terms;
}

}  // namespace entitable
