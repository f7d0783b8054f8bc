// search_terms.h - what a search looks for.

#ifndef ENTITABLE_READ_SEARCH_SEARCH_TERMS_H_
#define ENTITABLE_READ_SEARCH_SEARCH_TERMS_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/result.h"

namespace entitable {

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

}  // namespace entitable

#endif  // ENTITABLE_READ_SEARCH_SEARCH_TERMS_H_
