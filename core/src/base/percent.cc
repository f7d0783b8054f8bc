#include "base/percent.h"

#include <cstddef>

#include "base/ascii.h"

namespace entitable {
namespace {

constexpr std::string_view kUnescapedMarks = "-_.~!*()";

constexpr bool IsUnescaped(char c) {
  return IsAsciiAlphanumeric(c) || kUnescapedMarks.contains(c);
}

void AppendEncodedByte(char c, std::string& out) {
  if (IsUnescaped(c)) {
    out.push_back(c);
    return;
  }
  const auto byte = static_cast<unsigned char>(c);
  out.push_back('%');
  out.push_back("0123456789ABCDEF"[byte >> 4]);
  out.push_back("0123456789ABCDEF"[byte & 0xF]);
}

// The byte that the two digits at the front encode, or -1.
int EncodedByte(std::string_view digits) {
  if (digits.size() < 2) return -1;
  const int high = HexDigitValue(digits[0]);
  const int low = HexDigitValue(digits[1]);
  return high < 0 || low < 0 ? -1 : high << 4 | low;
}

}  // namespace

void AppendKeyLiteral(std::string_view text, std::string& out) {
  out.push_back('\'');
  for (const char c : text) {
    if (c == '\'') {
      out.append("''");
    } else {
      AppendEncodedByte(c, out);
    }
  }
  out.push_back('\'');
}

void AppendPercentEncodedList(std::string_view text, std::string& out) {
  for (const char c : text) {
    if (c == ',') {
      out.push_back(c);
    } else {
      AppendEncodedByte(c, out);
    }
  }
}

std::optional<std::string> DecodePercent(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes.push_back(text[i]);
      continue;
    }
    const int byte = EncodedByte(text.substr(i + 1));
    if (byte < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(byte));
    i += 2;
  }
  return bytes;
}

}  // namespace entitable
