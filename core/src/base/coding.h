// coding.h - encodes the integers and texts of stored values and frames.
//
// Fixed integers are little endian.  A varint has seven bits per byte, the
// lowest first, and must have the shortest form.  A text is a varint length and
// that many bytes.

#ifndef ENTITABLE_BASE_CODING_H_
#define ENTITABLE_BASE_CODING_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace entitable {

void AppendU8(std::uint8_t value, std::string& out);
void AppendU16(std::uint16_t value, std::string& out);
void AppendU32(std::uint32_t value, std::string& out);
void AppendU64(std::uint64_t value, std::string& out);
void AppendVarint(std::uint64_t value, std::string& out);
void AppendText(std::string_view text, std::string& out);

// The number of bytes that AppendVarint() adds.
constexpr std::size_t VarintSize(std::uint64_t value) {
  return static_cast<std::size_t>(std::bit_width(value | 1) + 6) / 7;
}

// Reads what the functions above write.  The bytes may be anything.  After a
// read past the end, or an invalid varint, failed() stays true and every
// further read returns zero or nothing.  So one check at the end is enough.
class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}

  std::uint8_t ReadU8() {
    if (rest_.empty()) {
      Fail();
      return 0;
    }
    const auto byte = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }
  std::uint32_t ReadU32();
  std::uint64_t ReadU64();
  std::uint64_t ReadVarint() {
    const std::uint8_t byte = ReadU8();
    return byte < 0x80 ? byte : ReadLongVarint(byte);
  }
  std::string_view ReadText() { return ReadBytes(ReadVarint()); }
  std::string_view ReadBytes(std::uint64_t count) {
    if (count > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view bytes =
        rest_.substr(0, static_cast<std::size_t>(count));
    rest_.remove_prefix(bytes.size());
    return bytes;
  }

  // Marks the decoder as failed.  For callers that find an impossible value.
  void Fail();

  bool failed() const { return failed_; }
  bool at_end() const { return rest_.empty(); }
  std::string_view rest() const { return rest_; }

 private:
  // The rest of a varint that has more than one byte.
  std::uint64_t ReadLongVarint(std::uint8_t first);

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_CODING_H_
