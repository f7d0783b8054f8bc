#include "base/text_buffer.h"

#include <algorithm>

namespace entitable {
namespace {

// Most texts are shorter.
constexpr std::size_t kLeastRoom = 256;

template <typename Word>
Word CopyWord(const char* from, char* to) {
  Word word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
  return word;
}

}  // namespace

// The last word may overlap with the one before it, which is faster than
// copying the last bytes one by one.
std::uint64_t CopyShort(std::string_view bytes, char* to) {
  const char* const from = bytes.data();
  const std::size_t size = bytes.size();
  std::uint64_t bits = 0;
  if (size >= 8) {
    const std::size_t last = size - 8;
    for (std::size_t at = 0; at < last; at += 8) {
      bits |= CopyWord<std::uint64_t>(from + at, to + at);
    }
    return bits | CopyWord<std::uint64_t>(from + last, to + last);
  }
  if (size >= 4) {
    const std::size_t last = size - 4;
    return CopyWord<std::uint32_t>(from, to) |
           CopyWord<std::uint32_t>(from + last, to + last);
  }
  for (std::size_t at = 0; at < size; ++at) {
    bits |= CopyWord<std::uint8_t>(from + at, to + at);
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
