// utf.h - measures, checks and compares UTF-8 text as if it were UTF-16.
//
// The core stores UTF-8, but the service counts and compares UTF-16 code units.
// All functions except IsValidUtf8() and CommonPrefixLength() require valid
// text.

#ifndef ENTITABLE_BASE_UTF_H_
#define ENTITABLE_BASE_UTF_H_

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace entitable {

// Whether the byte is not the first one of a character.
constexpr bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80;
}

// According to Unicode table 3-7: no overlong form, no surrogate, nothing above
// U+10FFFF.
bool IsValidUtf8(std::string_view text);

// The number of UTF-16 code units.  A character above U+FFFF counts as two.
std::size_t Utf16Length(std::string_view text);

// The number of bytes with which both begin.
std::size_t CommonPrefixLength(std::string_view a, std::string_view b);

// Ordinal order: by unsigned UTF-16 code units from the left; a prefix comes
// first.  It differs from the order of bytes: characters above U+FFFF sort
// below U+E000-U+FFFF.  Source: data model, ordering of keys.
std::strong_ordering CompareUtf16(std::string_view a, std::string_view b);

// Removes the first character of the text and returns its code point.
char32_t ReadCodePoint(std::string_view& text);

void AppendUtf8(char32_t code_point, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_UTF_H_
