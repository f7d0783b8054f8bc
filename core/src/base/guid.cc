#include "base/guid.h"

#include <cstddef>

#include "base/ascii.h"

namespace entitable {
namespace {

constexpr std::size_t kTextLength = 36;

constexpr bool IsDashPlace(std::size_t i) {
  return i == 8 || i == 13 || i == 18 || i == 23;
}

}  // namespace

std::optional<Guid> Guid::Parse(std::string_view text) {
  if (text.size() != kTextLength) return std::nullopt;
  Guid guid;
  std::size_t digits = 0;
  for (std::size_t i = 0; i < kTextLength; ++i) {
    if (IsDashPlace(i)) {
      if (text[i] != '-') return std::nullopt;
      continue;
    }
    const int value = HexDigitValue(text[i]);
    if (value < 0) return std::nullopt;
    std::uint8_t& byte = guid.bytes[digits / 2];
    byte = static_cast<std::uint8_t>(byte << 4 | value);
    ++digits;
  }
  return guid;
}

std::string Guid::ToString() const {
  std::string text;
  text.reserve(kTextLength);
  for (const std::uint8_t byte : bytes) {
    if (IsDashPlace(text.size())) text.push_back('-');
    text.push_back("0123456789abcdef"[byte >> 4]);
    text.push_back("0123456789abcdef"[byte & 0xF]);
  }
  return text;
}

}  // namespace entitable
