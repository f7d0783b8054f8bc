#include "base/search_words.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "base/ascii.h"
#include "base/key_table.h"
#include "base/letter_case.h"
#include "base/utf.h"

namespace entitable {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// What separates words beyond ASCII, in ascending order: spaces, punctuation
// and symbols of the scripts in use today.
constexpr Range kSeparators[] = {
    {0x80, 0xA9},       {0xAB, 0xAC},     {0xAE, 0xB1},     {0xB4, 0xB4},
    {0xB6, 0xB8},       {0xBB, 0xBB},     {0xBF, 0xBF},     {0xD7, 0xD7},
    {0xF7, 0xF7},       {0x37E, 0x37E},   {0x387, 0x387},   {0x55A, 0x55F},
    {0x589, 0x58F},     {0x5BE, 0x5BE},   {0x5C0, 0x5C0},   {0x5C3, 0x5C3},
    {0x5F3, 0x60F},     {0x61B, 0x61F},   {0x66A, 0x66D},   {0x6D4, 0x6D4},
    {0x700, 0x70F},     {0x964, 0x965},   {0x970, 0x970},   {0xE3F, 0xE3F},
    {0xE4F, 0xE4F},     {0xE5A, 0xE5B},   {0xF01, 0xF17},   {0x104A, 0x104F},
    {0x10FB, 0x10FB},   {0x1360, 0x1368}, {0x1680, 0x1680}, {0x17D4, 0x17DB},
    {0x1800, 0x180A},   {0x2000, 0x200B}, {0x200E, 0x206F}, {0x20A0, 0x20CF},
    {0x2190, 0x245F},   {0x2500, 0x2BFF}, {0x2E00, 0x3004}, {0x3008, 0x3020},
    {0x3030, 0x3030},   {0x303D, 0x303F}, {0x309B, 0x309C}, {0x30A0, 0x30A0},
    {0x30FB, 0x30FB},   {0xFE10, 0xFE1F}, {0xFE30, 0xFE6F}, {0xFEFF, 0xFF0F},
    {0xFF1A, 0xFF20},   {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF},
    {0x1F000, 0x1FAFF},
};

// Scripts without spaces between words, in ascending order: Thai and Lao,
// Burmese, Khmer, kana, Han.
constexpr Range kUnspaced[] = {
    {0xE00, 0xEFF},   {0x1000, 0x109F},   {0x1780, 0x17FF}, {0x3005, 0x3007},
    {0x3021, 0x312F}, {0x31F0, 0x31FF},   {0x3400, 0x9FFF}, {0xF900, 0xFAFF},
    {0xFF66, 0xFF9F}, {0x20000, 0x3FFFF},
};

template <std::size_t N>
bool IsIn(const Range (&ranges)[N], char32_t character) {
  const auto* const range = std::ranges::lower_bound(
      ranges, std::uint32_t{character}, {}, &Range::last);
  return range != std::end(ranges) && range->first <= character;
}

// Marks that stand on letters, and characters that join or break them
// invisibly.
bool IsMark(char32_t character) {
  return (character >= 0x300 && character <= 0x36F) || character == 0xAD ||
         character == 0x200C || character == 0x200D;
}

// The letters without accents; a dot is a letter that stays as it is.
constexpr char32_t kFirstLatin = 0xE0;
constexpr std::string_view kLatin =
    "aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccdd.deeeeeeeeeegggg"
    "gggghh.hiiiiiiiiii..jjkk.llllll...lnnnnnn...oooooo..rrrrrrssssss"
    "sstttt.tuuuuuuuuuuuuwwyyyzzzzzz................................."
    "oo.............uu............................aaiioouuuuuuuuuu.aa"
    "aa....ggkkoooo..j...gg..nnaa....aaaaeeeeiiiioooorrrruuuusstt";
constexpr char32_t kFirstOfMoreLatin = 0x1E00;
constexpr std::string_view kMoreLatin =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
    "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
    "wwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy";

struct Replacement {
  std::uint32_t letter;
  std::string_view text;
};

// Ligatures, Greek letters with accents, the final sigma, and the Russian yo.
constexpr Replacement kReplacements[] = {
    {0xDF, "ss"},      {0xE6, "ae"},      {0xFE, "th"},      {0x133, "ij"},
    {0x153, "oe"},     {0x390, "\u03b9"}, {0x3AC, "\u03b1"}, {0x3AD, "\u03b5"},
    {0x3AE, "\u03b7"}, {0x3AF, "\u03b9"}, {0x3B0, "\u03c5"}, {0x3C2, "\u03c3"},
    {0x3CA, "\u03b9"}, {0x3CB, "\u03c5"}, {0x3CC, "\u03bf"}, {0x3CD, "\u03c5"},
    {0x3CE, "\u03c9"}, {0x451, "\u0435"},
};

// The letter without its accent in such a table, or the letter.
char32_t PlainLetter(char32_t letter, char32_t first, std::string_view table) {
  const std::size_t at = letter - first;
  if (letter < first || at >= table.size() || table[at] == '.') return letter;
  return static_cast<char32_t>(table[at]);
}

void AppendPlain(char32_t letter, std::string& out) {
  if (letter < 0x80) {
    out.push_back(static_cast<char>(letter));
    return;
  }
  // Letters and digits as wide as Chinese characters.
  if (letter > 0xFF00 && letter < 0xFF5F) letter -= 0xFEE0;
  letter = PlainLetter(letter, kFirstLatin, kLatin);
  letter = PlainLetter(letter, kFirstOfMoreLatin, kMoreLatin);
  const auto* const replacement = std::ranges::find(
      kReplacements, std::uint32_t{letter}, &Replacement::letter);
  if (replacement == std::end(kReplacements)) {
    AppendUtf8(letter, out);
  } else {
    out += replacement->text;
  }
}

bool IsSeparator(char32_t character) {
  if (character < 0x80) {
    return !IsAsciiAlphanumeric(static_cast<char>(character));
  }
  return IsIn(kSeparators, character);
}

bool IsUnspaced(char32_t character) {
  return IsIn(kUnspaced, character) && !IsSeparator(character);
}

}  // namespace

WordReader::WordReader(std::string_view text) {
  AppendLowerCase(text, text_);
  rest_ = text_;
}

// One character after another either ends the word, or is dropped, or becomes
// letters of it.  A character of a script without spaces ends the word before
// it and is read again as the beginning of the next one:
//
//   text    aXYZb            X, Y and Z are characters of such a script
//   words   a, XY, YZ, b
bool WordReader::Next() {
  word_.clear();
  is_single_ = false;
  while (!rest_.empty()) {
    const std::string_view here = rest_;
    const char32_t character = ReadCodePoint(rest_);
    if (IsUnspaced(character)) {
      rest_ = here;
      if (!word_.empty() || ReadUnspaced()) return true;
    } else if (IsSeparator(character)) {
      if (!word_.empty()) return true;
    } else if (!IsMark(character) && word_.size() < kMostBytes) {
      AppendPlain(character, word_);
    }
  }
  return !word_.empty();
}

// Takes a character, which is a word with the one behind it.  Returns false if
// there is none behind it, and it is in the word before.
bool WordReader::ReadUnspaced() {
  AppendUtf8(ReadCodePoint(rest_), word_);
  std::string_view behind = rest_;
  const char32_t next = behind.empty() ? U' ' : ReadCodePoint(behind);
  const bool was_paired = is_paired_;
  is_paired_ = IsUnspaced(next);
  if (is_paired_) {
    AppendUtf8(next, word_);
  } else if (was_paired) {
    word_.clear();
    return false;
  } else {
    is_single_ = true;
  }
  return true;
}

std::vector<CountedWord> CountWords(std::string_view text) {
  KeyTable numbers;
  std::vector<CountedWord> words;
  WordReader reader(text);
  while (reader.Next()) {
    const std::string& word = reader.word();
    const bool is_full = words.size() == kMostWords;
    const std::size_t at =
        is_full ? numbers.Find(word) : numbers.FindOrAdd(word);
    if (at == KeyTable::kNone) continue;
    if (at == words.size()) words.push_back({word, 0});
    ++words[at].count;
  }
  return words;
}

bool EndsInWord(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0) {
    std::size_t at = begin - 1;
    while (at > 0 && IsContinuation(text[at])) --at;
    std::string_view rest = text.substr(at);
    if (IsSeparator(ReadCodePoint(rest))) break;
    begin = at;
  }
  return WordReader(text.substr(begin)).Next();
}

}  // namespace entitable
