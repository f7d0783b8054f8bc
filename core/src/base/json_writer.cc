#include "base/json_writer.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>

#include "base/utf.h"

namespace entitable {
namespace {

// Whether a byte needs no escape.  Delete is not a control character in JSON
// (RFC 8259 section 7).
constexpr std::array<bool, 256> kIsPlain = [] {
  std::array<bool, 256> is_plain{};
  for (std::size_t byte = ' '; byte < 0x80; ++byte) is_plain[byte] = true;
  is_plain['"'] = is_plain['\\'] = false;
  return is_plain;
}();

// The same for eight bytes at a time.  A byte that needs an escape is above
// U+007F, or below a space, or equal to one of two characters.  Each of these
// sets the highest bit of that byte; the subtractions borrow from no other byte
// if there is none.
constexpr bool ArePlain(std::uint64_t bytes) {
  constexpr std::uint64_t kEach = 0x0101'0101'0101'0101;
  const std::uint64_t quotes = bytes ^ kEach * '"';
  const std::uint64_t backslashes = bytes ^ kEach * '\\';
  const std::uint64_t found =
      bytes | (bytes - kEach * ' ') | (quotes - kEach) | (backslashes - kEach);
  return (found & kEach * 0x80) == 0;
}

// Copies the characters at the front that need no escape.
void AppendUnescaped(std::string_view& text, TextBuffer& out) {
  std::size_t size = 0;
  std::uint64_t word;
  for (; text.size() - size >= sizeof word; size += sizeof word) {
    std::memcpy(&word, text.data() + size, sizeof word);
    if (!ArePlain(word)) break;
  }
  while (size < text.size() &&
         kIsPlain[static_cast<unsigned char>(text[size])]) {
    ++size;
  }
  out.append(text.substr(0, size));
  text.remove_prefix(size);
}

void AppendUnit(char32_t unit, TextBuffer& out) {
  out.append("\\u");
  for (int shift = 12; shift >= 0; shift -= 4) {
    out.push_back("0123456789abcdef"[unit >> shift & 0xF]);
  }
}

// The letter of a short escape, such as n in \n, or zero.
constexpr char ShortEscape(char32_t code_point) {
  switch (code_point) {
    case '"':
    case '\\':
      return static_cast<char>(code_point);
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    default:
      return '\0';
  }
}

void AppendEscape(char32_t code_point, TextBuffer& out) {
  if (const char letter = ShortEscape(code_point)) {
    out.push_back('\\');
    out.push_back(letter);
  } else if (code_point < 0x10000) {
    AppendUnit(code_point, out);
  } else {
    const char32_t offset = code_point - 0x10000;
    AppendUnit(0xD800 | offset >> 10, out);
    AppendUnit(0xDC00 | (offset & 0x3FF), out);
  }
}

void AppendMagnitude(std::uint64_t value, bool is_negative, TextBuffer& out) {
  char digits[20];  // The length of the lowest value with its sign.
  char* first = std::end(digits);
  do {
    *--first = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value != 0);
  if (is_negative) *--first = '-';
  out.append({first, std::end(digits)});
}

}  // namespace

void AppendJsonString(std::string_view utf8, TextBuffer& out) {
  out.push_back('"');
  AppendUnescaped(utf8, out);
  while (!utf8.empty()) {
    AppendEscape(ReadCodePoint(utf8), out);
    AppendUnescaped(utf8, out);
  }
  out.push_back('"');
}

void AppendDecimal(std::int64_t value, TextBuffer& out) {
  const auto magnitude = static_cast<std::uint64_t>(value);
  const bool is_negative = value < 0;
  AppendMagnitude(is_negative ? 0 - magnitude : magnitude, is_negative, out);
}

void AppendJsonString(std::string_view utf8, std::string& out) {
  TextBuffer buffer(out);
  AppendJsonString(utf8, buffer);
}

void AppendDecimal(std::int64_t value, std::string& out) {
  TextBuffer buffer(out);
  AppendDecimal(value, buffer);
}

void AppendUnsigned(std::uint64_t value, std::string& out) {
  TextBuffer buffer(out);
  AppendMagnitude(value, /*is_negative=*/false, buffer);
}

}  // namespace entitable
