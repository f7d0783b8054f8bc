#include "engine/search_request.h"

#include <algorithm>
#include <utility>

#include "model/property_name.h"

namespace entitable {

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
  std::ranges::stable_sort(terms, {}, [](const SearchTerm& term) {
    return std::pair(term.is_prefix, -static_cast<int>(term.word.size()));
  });
  return SearchRequest{std::move(query), std::string(operation.property),
                       std::move(terms), !operation.any_word,
                       operation.query.options.filter.has_value()};
}

}  // namespace entitable
