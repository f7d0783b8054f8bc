// fields.h - a stored record, described once for both ways.
//
// The description is a function `Fields(io, record)`.  It names the fields in
// the order in which they are stored.  A FieldWriter appends them, and a
// FieldReader sets them, in a record that has its default values.  Where a
// field is not stored as it is, the description stores a local variable, and
// sets the record from it if Io::kReads.

#ifndef ENTITABLE_BASE_FIELDS_H_
#define ENTITABLE_BASE_FIELDS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/coding.h"
#include "base/utf.h"

namespace entitable {

// A record that is read, or one that is written.
template <typename Io, typename Record>
using Of = std::conditional_t<Io::kReads, Record, const Record>;

class FieldWriter {
 public:
  static constexpr bool kReads = false;

  explicit FieldWriter(std::string& out) : out_(out) {}

  void U8(std::uint8_t value) { AppendU8(value, out_); }
  void U32(std::uint32_t value) { AppendU32(value, out_); }
  void U64(auto value) { AppendU64(static_cast<std::uint64_t>(value), out_); }
  void Varint(std::uint64_t value) { AppendVarint(value, out_); }
  void Text(std::string_view text) { AppendText(text, out_); }
  void Utf8(std::string_view text) { AppendText(text, out_); }
  void Flag(bool flag) { AppendU8(flag ? 1 : 0, out_); }
  void Choice(auto value, auto /*last*/) {
    AppendU8(static_cast<std::uint8_t>(value), out_);
  }
  void Raw(const auto& bytes) {
    out_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  void Properties(const auto& list) { AppendText(list.bytes(), out_); }
  void Maybe(const auto& value, auto each) {
    Flag(value.has_value());
    if (value) each(*value);
  }
  void Many(const auto& all, auto each) {
    AppendVarint(all.size(), out_);
    for (const auto& one : all) each(one);
  }
  bool HasMore(bool has_more) const { return has_more; }
  void Check(auto /*is_kept*/) {}
  bool is_trusted() const { return true; }

 private:
  std::string& out_;
};

class FieldReader : public Decoder {
 public:
  static constexpr bool kReads = true;

  // `is_trusted`: Utf8() need not check the texts.
  explicit FieldReader(std::string_view bytes, bool is_trusted = false)
      : Decoder(bytes), is_trusted_(is_trusted) {}

  void U8(std::uint8_t& value) { value = ReadU8(); }
  void U32(std::uint32_t& value) { value = ReadU32(); }
  template <typename Integer>
  void U64(Integer& value) {
    value = static_cast<Integer>(ReadU64());
  }
  template <typename Integer>
  void Varint(Integer& value) {
    value = static_cast<Integer>(ReadVarint());
  }

  // Into a string, or as a view of the bytes.
  void Text(auto& text) { text = ReadText(); }
  void Utf8(auto& text) {
    Text(text);
    if (!is_trusted_ && !IsValidUtf8(text)) Fail();
  }

  void Flag(bool& flag) {
    std::uint8_t byte = 0;
    Choice(byte, std::uint8_t{1});
    flag = byte == 1;
  }

  // A byte from 0 to `last`.
  template <typename Enum>
  void Choice(Enum& value, Enum last) {
    const std::uint8_t byte = ReadU8();
    if (byte > static_cast<std::uint8_t>(last)) Fail();
    value = static_cast<Enum>(byte);
  }

  // An array of bytes.
  void Raw(auto& raw) {
    const std::string_view bytes = ReadBytes(raw.size());
    bytes.copy(reinterpret_cast<char*>(raw.data()), bytes.size());
  }

  // A PropertyList.
  template <typename List>
  void Properties(List& list) {
    auto read = List::FromBytes(ReadText());
    if (!read) return Fail();
    list = *std::move(read);
  }

  // A flag, and behind it the value if there is one.
  void Maybe(auto& value, auto each) {
    bool is_there = false;
    Flag(is_there);
    if (is_there) each(value.emplace());
  }

  // Their number as a varint, and then each of them.
  void Many(auto& all, auto each) {
    for (std::uint64_t n = ReadVarint(); n > 0 && !failed(); --n) {
      each(all.emplace_back());
    }
  }

  // For fields at the end that may be missing; a writer is told.
  bool HasMore(bool /*has_more*/) const { return !at_end(); }

  // A rule of the values so far, which only a reader checks.
  void Check(auto is_kept) {
    if (!is_kept()) Fail();
  }

  bool is_trusted() const { return is_trusted_; }

 private:
  bool is_trusted_;
};

// The descriptions of these records are found by the namespace of the record.

template <typename Record>
std::string EncodeFields(const Record& record) {
  std::string bytes;
  FieldWriter io(bytes);
  Fields(io, record);
  return bytes;
}

// Returns false if the bytes are anything else than one record.
template <typename Record>
bool DecodeFields(std::string_view bytes, Record& record) {
  FieldReader io(bytes);
  Fields(io, record);
  return !io.failed() && io.at_end();
}

}  // namespace entitable

#endif  // ENTITABLE_BASE_FIELDS_H_
