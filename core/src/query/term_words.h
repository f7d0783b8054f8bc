// term_words.h - the words of the terms of a query option: `A desc, B`.

#ifndef ENTITABLE_QUERY_TERM_WORDS_H_
#define ENTITABLE_QUERY_TERM_WORDS_H_

#include <algorithm>
#include <optional>
#include <string_view>

namespace entitable {

// Removes the text up to the first comma and returns it; nothing at the end.
inline std::optional<std::string_view> TakeTerm(
    std::optional<std::string_view>& text) {
  if (!text) return std::nullopt;
  const std::string_view whole = *text;
  const std::size_t comma = whole.find(',');
  text.reset();
  if (comma != std::string_view::npos) text = whole.substr(comma + 1);
  return whole.substr(0, comma);
}

// Removes the first word of the term and returns it; empty if there is none.
inline std::string_view TakeWord(std::string_view& term) {
  constexpr std::string_view kBlanks = " \t";
  term.remove_prefix(std::min(term.find_first_not_of(kBlanks), term.size()));
  const std::string_view word = term.substr(0, term.find_first_of(kBlanks));
  term.remove_prefix(word.size());
  return word;
}

}  // namespace entitable

#endif  // ENTITABLE_QUERY_TERM_WORDS_H_
