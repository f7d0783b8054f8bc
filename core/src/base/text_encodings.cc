#include "base/text_encodings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/ascii.h"

namespace entitable {
namespace {

int ValueOf(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

}  // namespace

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

std::string BytesOfHex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 1; i < digits.size(); i += 2) {
    bytes +=
        static_cast<char>(ValueOf(digits[i - 1]) << 4 | ValueOf(digits[i]));
  }
  return bytes;
}

// ---------------------------------------------------------------------- base64

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

// Three bytes are four digits of six bits.  Missing bytes at the end count as
// zero, and the digits that have nothing but such bits become padding.
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

// --------------------------------------------------------------------- percent

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

// Encodes by bytes, so a character beyond ASCII takes three characters for each
// byte of its UTF-8.
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
