#include "model/entity_key.h"

#include <algorithm>

namespace entitable {
namespace {

constexpr bool IsForbiddenAscii(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\' || c == '#' ||
         c == '?';
}

constexpr bool IsRefusedInUrl(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\';
}

// U+0081, U+008D, U+008F, U+0090 and U+009D, by the last byte of their UTF-8:
// the C1 controls without a character in Windows-1252.
constexpr bool IsRefusedC1(char lead, char next) {
  return lead == '\xC2' && (next == '\x81' || next == '\x8D' ||
                            next == '\x8F' || next == '\x90' || next == '\x9D');
}

// U+0080-U+009F are the bytes C2 80 to C2 9F.
bool HasC1Control(std::string_view utf8) {
  const auto is_c1 = [](char lead, char next) {
    return lead == '\xC2' && static_cast<unsigned char>(next) < 0xA0;
  };
  return std::ranges::adjacent_find(utf8, is_c1) != utf8.end();
}

}  // namespace

KeyFlaw FindKeyFlaw(std::string_view utf8) {
  if (std::ranges::any_of(utf8, IsForbiddenAscii) || HasC1Control(utf8)) {
    return KeyFlaw::kForbiddenCharacter;
  }
  return Utf16Length(utf8) > kMaxKeyLength ? KeyFlaw::kTooLong : KeyFlaw::kNone;
}

bool IsUrlKey(std::string_view utf8) {
  return std::ranges::none_of(utf8, IsRefusedInUrl) &&
         std::ranges::adjacent_find(utf8, IsRefusedC1) == utf8.end();
}

}  // namespace entitable
