#include "base/utf.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "simdjson.h"

namespace entitable {
namespace {

// The smallest lead byte of a character above U+FFFF.
constexpr unsigned char kSupplementaryLead = 0xF0;

}  // namespace

// Every text is checked once, where it comes in.  The other functions rely on
// that: they read as many bytes as the lead byte says, without a check.
bool IsValidUtf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

std::size_t Utf16Length(std::string_view text) {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += !IsContinuation(c);
    units += byte >= kSupplementaryLead;
  }
  return units;
}

std::size_t CommonPrefixLength(std::string_view a, std::string_view b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= limit; i += sizeof(std::uint64_t)) {
    std::uint64_t left;
    std::uint64_t right;
    std::memcpy(&left, a.data() + i, sizeof left);
    std::memcpy(&right, b.data() + i, sizeof right);
    if (left != right) break;
  }
  while (i < limit && a[i] == b[i]) ++i;
  return i;
}

std::strong_ordering CompareUtf16(std::string_view a, std::string_view b) {
  const std::size_t i = CommonPrefixLength(a, b);
  if (i == a.size() || i == b.size()) return a.size() <=> b.size();

  auto left = static_cast<unsigned char>(a[i]);
  auto right = static_cast<unsigned char>(b[i]);
  // Bytes from 0xEE on are lead bytes. 0xEE and 0xEF begin U+E000-U+FFFF.
  // 0xF0-0xF4 begin characters whose surrogates sort below these.  Flipping one
  // bit puts the two groups in this order and keeps the order within each.
  if (left >= 0xEE && right >= 0xEE) {
    left ^= 0x10;
    right ^= 0x10;
  }
  return left <=> right;
}

char32_t ReadCodePoint(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = lead < 0x80                 ? 1
                             : lead < 0xE0               ? 2
                             : lead < kSupplementaryLead ? 3
                                                         : 4;
  // The lead byte of n bytes has 7 - n bits; a single byte has seven.
  char32_t code_point = length == 1 ? lead : lead & (0x7Fu >> length);
  for (const char c : text.substr(1, length - 1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3F);
  }
  text.remove_prefix(length);
  return code_point;
}

void AppendUtf8(char32_t code_point, std::string& out) {
  const auto append = [&out](char32_t byte) {
    out.push_back(static_cast<char>(byte));
  };
  const auto append_continuation = [&](int shift) {
    append(0x80 | (code_point >> shift & 0x3F));
  };
  if (code_point < 0x80) {
    append(code_point);
    return;
  }
  if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      append(0xE0 | code_point >> 12);
    } else {
      append(0xF0 | code_point >> 18);
      append_continuation(12);
    }
    append_continuation(6);
  }
  append_continuation(0);
}

}  // namespace entitable
