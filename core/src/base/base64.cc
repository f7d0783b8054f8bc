#include "base/base64.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace entitable {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Greater than any value of six bits, and than any four of them combined by
// `|`.
constexpr std::uint8_t kNoDigit = 0x80;

constexpr std::array<std::uint8_t, 256> MakeDigitValues() {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    values[static_cast<unsigned char>(kAlphabet[i])] =
        static_cast<std::uint8_t>(i);
  }
  return values;
}

constexpr std::array<std::uint8_t, 256> kDigitValues = MakeDigitValues();

constexpr std::uint8_t DigitValue(char c) {
  return kDigitValues[static_cast<unsigned char>(c)];
}

constexpr std::uint32_t ByteAt(std::string_view bytes, std::size_t i) {
  return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0;
}

// The value of four digits; nothing if one is invalid.
constexpr std::optional<std::uint32_t> DecodeGroup(const char* digits) {
  std::uint32_t group = 0;
  std::uint8_t flaws = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t value = DigitValue(digits[i]);
    flaws |= value;
    group = group << 6 | (value & 0x3Fu);
  }
  if (flaws & kNoDigit) return std::nullopt;
  return group;
}

constexpr std::size_t PaddingLength(std::string_view text) {
  if (text.ends_with("==")) return 2;
  return text.ends_with('=') ? 1 : 0;
}

}  // namespace

void AppendBase64(std::string_view bytes, TextBuffer& out) {
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::uint32_t group = ByteAt(bytes, i) << 16 |
                                ByteAt(bytes, i + 1) << 8 |
                                ByteAt(bytes, i + 2);
    for (int shift = 18; shift >= 0; shift -= 6) {
      out.push_back(kAlphabet[group >> shift & 0x3F]);
    }
  }
  const std::size_t missing = (3 - bytes.size() % 3) % 3;
  out.RemoveLast(missing);
  out.append(missing, '=');
}

void AppendBase64(std::string_view bytes, std::string& out) {
  TextBuffer buffer(out);
  AppendBase64(bytes, buffer);
}

std::optional<std::string> DecodeBase64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = PaddingLength(text);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  // Padding counts as digits of value zero.  The bytes that it stands for are
  // removed below.
  std::string last(text.substr(text.size() - (text.empty() ? 0 : 4)));
  std::fill_n(last.rbegin(), padding, 'A');
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const bool is_last = i + 4 == text.size();
    const auto group = DecodeGroup(is_last ? last.data() : text.data() + i);
    if (!group) return std::nullopt;
    bytes.push_back(static_cast<char>(*group >> 16));
    bytes.push_back(static_cast<char>(*group >> 8 & 0xFF));
    bytes.push_back(static_cast<char>(*group & 0xFF));
  }
  // The removed bits must be zero.  Otherwise two texts would mean the same
  // bytes.
  for (std::size_t i = 0; i < padding; ++i) {
    if (bytes.back() != '\0') return std::nullopt;
    bytes.pop_back();
  }
  return bytes;
}

}  // namespace entitable
