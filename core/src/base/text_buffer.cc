#include "base/text_buffer.h"

#include <algorithm>

namespace entitable {
namespace {

constexpr std::size_t kLeastRoom = 64;

}  // namespace

void TextBuffer::append(std::string_view bytes) {
  if (static_cast<std::size_t>(end_ - at_) < bytes.size()) Grow(bytes.size());
  // Most pieces are shorter than what a call of memcpy() is worth.
  const char* from = bytes.data();
  for (const char* const end = from + bytes.size(); from != end; ++from) {
    *at_++ = *from;
  }
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
