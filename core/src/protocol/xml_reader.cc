#include "protocol/xml_reader.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/utf.h"

namespace entitable {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r\n";

// The characters of names, as far as the documents use them.
bool IsNameCharacter(char c) {
  return IsAsciiAlphanumeric(c) || c == '_' || c == '-' || c == '.' ||
         c == ':' || c < 0;
}

std::size_t EndOfName(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsNameCharacter);
  return static_cast<std::size_t>(end - text.begin());
}

// Source: XML 1.0, production 2.
bool IsCharacter(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xD800) ||
         (c >= 0xE000 && c < 0xFFFE) || (c >= 0x10000 && c <= 0x10FFFF);
}

// Decodes "#65" or "#x41"; otherwise returns 0, which is not a valid character.
char32_t NumberedCharacter(std::string_view name) {
  if (!name.starts_with('#')) return 0;
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x');
  if (is_hex) name.remove_prefix(1);
  char32_t code = 0;
  for (const char c : name) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::string_view digits = kDigits.substr(0, is_hex ? 16 : 10);
    const std::size_t digit =
        digits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
    if (digit == std::string_view::npos || code > 0x10FFFF) return 0;
    code = code * (is_hex ? 16 : 10) + static_cast<char32_t>(digit);
  }
  return IsCharacter(code) ? code : 0;
}

}  // namespace

XmlReader::XmlReader(std::string_view document) : rest_(document) {
  if (rest_.starts_with(kByteOrderMark)) {
    rest_.remove_prefix(kByteOrderMark.size());
  }
}

XmlReader::Found XmlReader::Next() {
  if (std::exchange(is_empty_, false)) return Found::kEnd;
  if (rest_.empty()) return Found::kNothing;
  return rest_.starts_with('<') ? ReadTag() : ReadText();
}

XmlReader::Found XmlReader::ReadTag() {
  while (rest_.starts_with("<?") || rest_.starts_with("<!--")) {
    const bool is_closed =
        rest_[1] == '?' ? Skip("<?", "?>") : Skip("<!--", "-->");
    if (!is_closed) return Found::kFault;
  }
  if (rest_.empty()) return Found::kNothing;
  if (!rest_.starts_with('<')) return ReadText();
  const bool is_end = rest_.starts_with("</");
  rest_.remove_prefix(is_end ? 2 : 1);
  name_ = rest_.substr(0, EndOfName(rest_));
  rest_.remove_prefix(name_.size());
  if (name_.empty()) return Found::kFault;
  if (!is_end) return ReadStart();
  rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
  if (!rest_.starts_with('>')) return Found::kFault;
  rest_.remove_prefix(1);
  return Found::kEnd;
}

// Attributes are ignored, but their values may contain brackets.
XmlReader::Found XmlReader::ReadStart() {
  char quote = 0;
  for (std::size_t i = 0; i < rest_.size(); ++i) {
    const char c = rest_[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '<') {
      return Found::kFault;
    } else if (c == '>') {
      is_empty_ = i > 0 && rest_[i - 1] == '/';
      rest_.remove_prefix(i + 1);
      return Found::kStart;
    }
  }
  return Found::kFault;
}

XmlReader::Found XmlReader::ReadText() {
  text_.clear();
  while (!rest_.empty() && !rest_.starts_with('<')) {
    if (rest_.starts_with('&')) {
      if (!AppendEntity()) return Found::kFault;
      continue;
    }
    const std::size_t end = std::min(rest_.find_first_of("<&"), rest_.size());
    text_ += rest_.substr(0, end);
    rest_.remove_prefix(end);
  }
  return Found::kText;
}

bool XmlReader::Skip(std::string_view start, std::string_view end) {
  const std::size_t found = rest_.find(end, start.size());
  if (found == std::string_view::npos) return false;
  rest_.remove_prefix(found + end.size());
  return true;
}

// The five entities of XML, and characters by number.  Anything else is a
// fault.
bool XmlReader::AppendEntity() {
  constexpr struct {
    std::string_view name;
    char character;
  } kEntities[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''},
  };
  const std::size_t end = rest_.find(';');
  if (end == std::string_view::npos) return false;
  const std::string_view name = rest_.substr(1, end - 1);
  char32_t character = NumberedCharacter(name);
  for (const auto& entity : kEntities) {
    if (entity.name == name)
      character = static_cast<char32_t>(entity.character);
  }
  if (character == 0) return false;
  AppendUtf8(character, text_);
  rest_.remove_prefix(end + 1);
  return true;
}

}  // namespace entitable
