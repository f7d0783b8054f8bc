// Varints must be as short as possible.  So each value has one form, and equal
// values have equal bytes.

#include "base/coding.h"

#include <bit>
#include <cstddef>
#include <cstring>

namespace entitable {
namespace {

// A 64-bit varint has at most this many bytes; the tenth holds one bit.
constexpr int kMaxVarintBytes = 10;

template <typename Unsigned>
void AppendFixed(Unsigned value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Zero if the bytes end too early.
template <typename Unsigned>
Unsigned DecodeFixed(std::string_view bytes) {
  Unsigned value = 0;
  if (bytes.size() == sizeof value) {
    std::memcpy(&value, bytes.data(), sizeof value);
  }
  return value;
}

static_assert(std::endian::native == std::endian::little,
              "Fixed integers are written and read as they lie in memory");

}  // namespace

void AppendU8(std::uint8_t value, std::string& out) {
  out.push_back(static_cast<char>(value));
}
void AppendU16(std::uint16_t value, std::string& out) {
  AppendFixed(value, out);
}
void AppendU32(std::uint32_t value, std::string& out) {
  AppendFixed(value, out);
}
void AppendU64(std::uint64_t value, std::string& out) {
  AppendFixed(value, out);
}

void AppendVarint(std::uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) {
    out.push_back(static_cast<char>((value & 0x7F) | 0x80));
  }
  out.push_back(static_cast<char>(value));
}

void AppendText(std::string_view text, std::string& out) {
  AppendVarint(text.size(), out);
  out.append(text);
}

std::uint32_t Decoder::ReadU32() {
  return DecodeFixed<std::uint32_t>(ReadBytes(4));
}

std::uint64_t Decoder::ReadU64() {
  return DecodeFixed<std::uint64_t>(ReadBytes(8));
}

std::uint64_t Decoder::ReadLongVarint(std::uint8_t first) {
  std::uint64_t value = first & 0x7FU;
  for (int i = 1; i < kMaxVarintBytes; ++i) {
    const std::uint64_t byte = ReadU8();
    value |= (byte & 0x7F) << (7 * i);
    if (byte >= 0x80) continue;
    const bool is_longer_than_needed = byte == 0;
    const bool overflows = i == kMaxVarintBytes - 1 && byte > 1;
    if (is_longer_than_needed || overflows) break;
    return value;
  }
  Fail();
  return 0;
}

void Decoder::Fail() {
  failed_ = true;
  rest_ = {};
}

}  // namespace entitable
