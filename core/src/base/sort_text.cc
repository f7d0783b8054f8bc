#include "base/sort_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/utf.h"

namespace entitable {
namespace {

// The first byte of the codes for 00 and 01.
constexpr char kEscape = 0x01;

// EE and EF are the lead bytes of U+E000 to U+FFFF.  FE and FF do not occur in
// UTF-8.
bool IsLead(char byte, unsigned char first) {
  return (static_cast<unsigned char>(byte) | 1) == (first | 1);
}

char OtherLead(char byte) { return static_cast<char>(byte ^ 0x10); }

// Hardly any key contains a byte that is not plain.
bool IsPlain(char byte) {
  return static_cast<unsigned char>(byte) > 1 && !IsLead(byte, 0xEE);
}

// ASCII that is stored unchanged.
bool IsAsIs(char byte) { return static_cast<signed char>(byte) > kEscape; }

// The same for eight bytes.  A lesser byte borrows, which sets its high bit.
bool AreAsIs(std::uint64_t bytes) {
  constexpr std::uint64_t kOnes = 0x0101'0101'0101'0101;
  return (((bytes - (kEscape + 1) * kOnes) | bytes) & 0x80 * kOnes) == 0;
}

bool IsAllAsIs(std::string_view bytes) {
  for (std::uint64_t word; bytes.size() >= sizeof word;
       bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);
    if (!AreAsIs(word)) return false;
  }
  return std::all_of(bytes.begin(), bytes.end(), IsAsIs);
}

// Reverses AppendSortText().  Returns false for bytes that it cannot have
// written.
bool DecodeSortText(std::string_view bytes, std::string& text) {
  text.clear();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    char byte = bytes[i];
    if (byte == kSortTextEnd || IsLead(byte, 0xEE)) return false;
    if (byte == kEscape) {
      ++i;
      if (i == bytes.size() || (bytes[i] != 1 && bytes[i] != 2)) return false;
      byte = static_cast<char>(bytes[i] - 1);
    } else if (IsLead(byte, 0xFE)) {
      byte = OtherLead(byte);
    }
    text += byte;
  }
  return IsValidUtf8(text);
}

}  // namespace

// Hardly any key has a byte that must be written in another way, so the first
// test is for ASCII alone, eight bytes at a time.  The second test lets all
// other texts pass whose bytes stay as they are.
void AppendSortText(std::string_view text, std::string& out) {
  if (IsAllAsIs(text) || std::all_of(text.begin(), text.end(), IsPlain)) {
    out += text;
    return;
  }
  for (const char byte : text) {
    if (byte == 0 || byte == 1) {
      out += {kEscape, static_cast<char>(byte + 1)};
    } else {
      out += IsLead(byte, 0xEE) ? OtherLead(byte) : byte;
    }
  }
}

std::string MakeSortText(std::string_view utf8) {
  std::string text;
  AppendSortText(utf8, text);
  return text;
}

std::optional<std::string_view> ReadSortText(std::string_view text,
                                             std::string& room) {
  if (IsAllAsIs(text)) return text;
  if (!DecodeSortText(text, room)) return std::nullopt;
  return room;
}

bool CopySortText(std::string_view bytes, std::string& text) {
  if (!IsAllAsIs(bytes)) return DecodeSortText(bytes, text);
  text = bytes;
  return true;
}

// ----------------------------------------------------------------- text prefix

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
    const auto following = Following(ReadCodePoint(last));
    if (!following) continue;
    std::string end(prefix);
    AppendUtf8(*following, end);
    return end;
  }
  return std::nullopt;
}

}  // namespace entitable
