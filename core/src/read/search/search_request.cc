#include "read/search/search_request.h"

#include <algorithm>
#include <utility>

#include "model/property_name.h"

namespace entitable {
namespace {

// Of a whole word.
std::size_t LengthOf(const SearchTerm& term) {
  return term.is_prefix ? 0 : term.word.size();
}

}  // namespace

Result<SearchRequest> ReadQuery(const SearchEntities& operation,
                                std::string_view base_url) {
  ENTITABLE_TRY(QueryEntitiesRequest query,
                ReadQuery(operation.query, base_url));
  ENTITABLE_TRY(CheckPropertyName(operation.property));
  if (IsSystemName(operation.property)) {
    return Fail(ErrorCode::kInvalidInput,
                "A search looks in a property that is not a system property.");
  }
  ENTITABLE_TRY(std::vector<SearchTerm> terms, ParseSearch(operation.text));
  // A row without the first term is left out early, and long words are rarer.
  const auto first = std::ranges::max_element(terms, {}, LengthOf);
  if (first != terms.end()) std::swap(*first, terms.front());
  return SearchRequest{std::move(query), std::string(operation.property),
                       std::move(terms), !operation.any_word,
                       operation.query.options.filter.has_value()};
}

}  // namespace entitable
