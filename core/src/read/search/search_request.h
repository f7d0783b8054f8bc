// search_request.h - a search that has passed every check that needs no stored
// data.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_
#define ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/index_entry.h"
#include "read/read_request.h"

namespace entitable {

// What a search looks for.

inline constexpr std::size_t kMaxSearchTerms = 32;

struct SearchTerm {
  std::string word;        // As a WordReader gives it.
  bool is_prefix = false;  // All words that begin with it.

  bool operator==(const SearchTerm&) const = default;
};

// The words of the text, each once.  With `*` behind it, a word is a prefix; so
// is a single character of a script without spaces between words.  A text
// without words has no terms.  Fails with InvalidInput if there are too many.
Result<std::vector<SearchTerm>> ParseSearch(std::string_view text);

// -------------------------------------------------------------- search request

// The longest whole word is the first term, because long words are rare: where
// all words are needed, the others are noted only for the rows that have it.
struct SearchRequest {
  QueryEntitiesRequest query;
  IndexTerm text;  // Whose words are searched, as a term of an index of words.
  std::vector<SearchTerm> terms;
  bool needs_all;
  bool has_filter;
};

// Fails with InvalidInput, and as ReadQuery() for a query.
Result<SearchRequest> ReadQuery(const SearchEntities& operation,
                                std::string_view base_url);

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_REQUEST_H_
