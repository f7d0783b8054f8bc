// ascii.h - ASCII characters and case, independent of the locale.

#ifndef ENTITABLE_BASE_ASCII_H_
#define ENTITABLE_BASE_ASCII_H_

#include <string>
#include <string_view>

namespace entitable {

constexpr bool IsAsciiDigit(char c) { return c >= '0' && c <= '9'; }

constexpr bool IsAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool IsAsciiAlphanumeric(char c) {
  return IsAsciiLetter(c) || IsAsciiDigit(c);
}

constexpr char ToLowerAscii(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string ToLowerAscii(std::string_view text);

bool EqualsIgnoringAsciiCase(std::string_view a, std::string_view b);

// The value of a hexadecimal digit in either case, or -1.
constexpr int HexDigitValue(char c) {
  if (IsAsciiDigit(c)) return c - '0';
  c = ToLowerAscii(c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_ASCII_H_
