#include "read/search/search_request.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/search_words.h"
#include "model/names.h"

namespace entitable {
namespace {

// Adds the words, each once.  Returns the place of the last one, or the number
// of terms if there is none.
std::size_t AddWords(std::string_view text, std::vector<SearchTerm>& terms) {
  std::optional<std::size_t> last;
  WordReader words(text);
  while (words.Next()) {
    const auto same = std::ranges::find(terms, words.word(), &SearchTerm::word);
    last = static_cast<std::size_t>(same - terms.begin());
    if (same == terms.end()) terms.push_back({words.word(), words.is_single()});
  }
  return last.value_or(terms.size());
}

}  // namespace

// A star ends the word before it.  It counts only directly behind a word, so a
// star by itself has no meaning.
Result<std::vector<SearchTerm>> ParseSearch(std::string_view text) {
  std::vector<SearchTerm> terms;
  std::optional<std::string_view> rest = text;
  while (rest) {
    const std::size_t star = rest->find('*');
    const std::string_view part = rest->substr(0, star);
    const bool has_star = star != std::string_view::npos;
    const std::size_t last = AddWords(part, terms);
    if (terms.size() > kMaxSearchTerms) {
      return Fail(ErrorCode::kInvalidInput,
                  "A search has more than 32 different words.");
    }
    if (has_star && EndsInWord(part)) terms[last].is_prefix = true;
    rest = has_star ? std::optional(rest->substr(star + 1)) : std::nullopt;
  }
  return terms;
}

// -------------------------------------------------------------- search request

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
  // `whole(text)`: with the further parts of the text.
  constexpr std::string_view kWholeOf = "whole(";
  std::string_view name = operation.property;
  const bool is_whole = name.starts_with(kWholeOf) && name.ends_with(')');
  if (is_whole)
    name = name.substr(kWholeOf.size(), name.size() - kWholeOf.size() - 1);
  ENTITABLE_TRY(CheckPropertyName(name));
  if (IsSystemName(name)) {
    return Fail(ErrorCode::kInvalidInput,
                "A search looks in a property that is not a system property.");
  }
  ENTITABLE_TRY(std::vector<SearchTerm> terms, ParseSearch(operation.text));
  // A row without the first term is left out early, and long words are rarer.
  const auto first = std::ranges::max_element(terms, {}, LengthOf);
  if (first != terms.end()) std::swap(*first, terms.front());
  return SearchRequest{
      std::move(query),
      {.name = std::string(name), .is_words = true, .is_whole = is_whole},
      std::move(terms),
      !operation.any_word,
      operation.query.options.filter.has_value()};
}

}  // namespace entitable
