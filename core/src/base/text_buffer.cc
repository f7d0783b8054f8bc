#include "base/text_buffer.h"

#include <algorithm>

namespace entitable {
namespace {

constexpr std::size_t kLeastRoom = 64;

}  // namespace

std::uint64_t CopyShort(std::string_view bytes, char* to) {
  const char* from = bytes.data();
  const char* const end = from + bytes.size();
  std::uint64_t bits = 0;
  for (std::uint64_t word; end - from >= 8; from += 8, to += 8) {
    std::memcpy(&word, from, sizeof word);
    std::memcpy(to, &word, sizeof word);
    bits |= word;
  }
  for (; from != end; ++from, ++to) {
    *to = *from;
    bits |= static_cast<unsigned char>(*from);
  }
  return bits;
}

void TextBuffer::append(std::string_view bytes) {
  CopyShort(bytes, Extend(bytes.size()));
}

void TextBuffer::Grow(std::size_t count) {
  const std::size_t used = size();
  const std::size_t room =
      std::max({text_.capacity(), used + count, 2 * used, kLeastRoom});
  text_.resize_and_overwrite(
      room, [](char* /*bytes*/, std::size_t size) { return size; });
  at_ = text_.data() + used;
  end_ = text_.data() + room;
}

}  // namespace entitable
