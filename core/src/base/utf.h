// utf.h - UTF-8 text measured, checked and ordered as UTF-16.
//
// The core holds UTF-8, yet the service counts and compares UTF-16 code units.
// Every function but IsValidUtf8() and CommonPrefixLength() takes text that is
// valid.

#ifndef ENTITABLE_BASE_UTF_H_
#define ENTITABLE_BASE_UTF_H_

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace entitable {

// Well-formed by Unicode table 3-7: no overlong form, no surrogate, nothing
// above U+10FFFF.
bool IsValidUtf8(std::string_view text);

// The number of 16-bit code units; a character above U+FFFF counts as two.
std::size_t Utf16Length(std::string_view text);

// How many bytes both begin with.
std::size_t CommonPrefixLength(std::string_view a, std::string_view b);

// Ordinal order: by unsigned UTF-16 code units from the left, the shorter first
// when one is a prefix.  It differs from byte order in that characters above
// U+FFFF sort below U+E000-U+FFFF.  Source: data model, ordering of keys.
std::strong_ordering CompareUtf16(std::string_view a, std::string_view b);

// Takes the character at the front off the text and returns its code point.
char32_t TakeCodePoint(std::string_view& text);

void AppendUtf8(char32_t code_point, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_UTF_H_
