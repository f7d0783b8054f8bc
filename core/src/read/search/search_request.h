// search_request.h - a search that has passed every check that needs no stored
// data.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_
#define ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_

#include <string>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "read/read_request.h"
#include "read/search/search_terms.h"

namespace entitable {

struct SearchRequest {
  QueryEntitiesRequest query;
  std::string property;
  std::vector<SearchTerm> terms;
  bool needs_all;
  bool has_filter;
};

// Fails with InvalidInput, and as ReadQuery() for a query.
Result<SearchRequest> ReadQuery(const SearchEntities& operation,
                                std::string_view base_url);

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_
