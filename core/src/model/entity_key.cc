#include "model/entity_key.h"

#include <algorithm>

namespace entitable {
namespace {

constexpr bool IsForbiddenAscii(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F || c == '/' || c == '\\' || c == '#' ||
         c == '?';
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

}  // namespace entitable
