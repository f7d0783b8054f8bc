// search_words.h - the words of a text, for a search that ignores case and
// accents.

#ifndef ENTITABLE_BASE_SEARCH_WORDS_H_
#define ENTITABLE_BASE_SEARCH_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

// A word is a sequence of letters and digits of any script.  Everything else
// separates words.
//
// Letters are in lower case.  Latin and Greek letters have no accents, and
// ligatures are several letters.  So all spellings of a word are the same word:
// Straße, STRASSE and strasse.  Source: the simple case mappings and the
// decompositions of Unicode 17.
//
// Chinese, Japanese, Thai and some other scripts put no spaces between words.
// There, every two neighbouring characters are a word; a character without a
// neighbour is one, too.
class WordReader {
 public:
  // A word that has so many bytes is cut behind that letter.
  static constexpr std::size_t kMostBytes = 96;

  // The text must be valid UTF-8.
  explicit WordReader(std::string_view text);

  // Moves to the next word.  Returns false at the end.
  bool Next();

  // The word, and whether it is one character of a script without spaces.  Such
  // a word of a search means all words that begin with it.  Valid until the
  // next call.
  const std::string& word() const { return word_; }
  bool is_single() const { return is_single_; }

 private:
  bool ReadUnspaced();

  std::string text_;  // In lower case.
  std::string_view rest_;
  std::string word_;
  bool is_single_ = false;
  bool is_paired_ = false;  // The next character is in the last word, too.
};

struct CountedWord {
  std::string word;
  std::uint32_t count;  // How often it occurs.

  bool operator==(const CountedWord&) const = default;
};

// The different words of a text, in the order in which they first occur; of a
// text with more than kMostWords, the first ones.
inline constexpr std::size_t kMostWords = 4096;
std::vector<CountedWord> CountWords(std::string_view text);

// Whether a word reaches to the end of the text, which must be valid UTF-8.
// Marks alone are no word.
bool EndsInWord(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_SEARCH_WORDS_H_
