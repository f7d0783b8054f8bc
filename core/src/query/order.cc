#include "query/order.h"

#include <algorithm>

#include "model/property_name.h"

namespace entitable {
namespace {

Failure Wrong(const char* text) { return Fail(ErrorCode::kInvalidInput, text); }

// Removes the first word of the text and returns it; empty if there is none.
std::string_view TakeWord(std::string_view& text) {
  constexpr std::string_view kBlanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

Result<std::vector<OrderTerm>> ParseOrder(std::string_view text) {
  std::vector<OrderTerm> terms;
  std::string_view rest = text;
  if (TakeWord(rest).empty()) return terms;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = text.find(',');
    is_last = comma == std::string_view::npos;
    std::string_view term = text.substr(0, comma);
    if (!is_last) text.remove_prefix(comma + 1);

    const std::string_view name = TakeWord(term);
    const std::string_view direction = TakeWord(term);
    const bool descends = direction == "desc";
    const bool is_known =
        (direction.empty() || direction == "asc" || descends) &&
        TakeWord(term).empty();
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
