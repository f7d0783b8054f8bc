#include "query/text_prefix.h"

#include <cstddef>

#include "base/utf.h"

namespace entitable {
namespace {

constexpr char32_t kBeforeSurrogates = 0xD7FF;
constexpr char32_t kBehindSurrogates = 0xE000;
constexpr char32_t kLastOfTwoBytes = 0xFFFF;
constexpr char32_t kLastOfAll = 0x10FFFF;

// The next character in the order of UTF-16.  Characters above U+FFFF are
// surrogates there, and so come before U+E000.  Nothing follows U+FFFF.
std::optional<char32_t> Following(char32_t character) {
  switch (character) {
    case kBeforeSurrogates:
      return kLastOfTwoBytes + 1;
    case kLastOfAll:
      return kBehindSurrogates;
    case kLastOfTwoBytes:
      return std::nullopt;
    default:
      return character + 1;
  }
}

std::size_t StartOfLast(std::string_view text) {
  std::size_t start = text.size() - 1;
  while ((static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
  return start;
}

}  // namespace

std::optional<std::string> EndOfPrefix(std::string_view prefix) {
  while (!prefix.empty()) {
    std::string_view last = prefix.substr(StartOfLast(prefix));
    prefix.remove_suffix(last.size());
    const auto following = Following(TakeCodePoint(last));
    if (!following) continue;
    std::string end(prefix);
    AppendUtf8(*following, end);
    return end;
  }
  return std::nullopt;
}

}  // namespace entitable
