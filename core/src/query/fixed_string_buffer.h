// fixed_string_buffer.h - room for a filter's texts that stays where it is.

#ifndef ENTITABLE_QUERY_FIXED_STRING_BUFFER_H_
#define ENTITABLE_QUERY_FIXED_STRING_BUFFER_H_

#include <cassert>
#include <cstddef>
#include <string_view>
#include <vector>

namespace entitable {

// Views of what was added stay good as long as the arena lives, moved or not: a
// vector, unlike a string, hands its buffer on.  For the same reason the room
// is fixed at the start, and there is no copying.
class FixedStringBuffer {
 public:
  explicit FixedStringBuffer(std::size_t capacity) { bytes_.reserve(capacity); }

  FixedStringBuffer(FixedStringBuffer&&) = default;
  FixedStringBuffer& operator=(FixedStringBuffer&&) = default;

  std::string_view Add(std::string_view text) {
    assert(text.size() <= bytes_.capacity() - bytes_.size());
    const std::size_t begin = bytes_.size();
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return {bytes_.data() + begin, text.size()};
  }

 private:
  std::vector<char> bytes_;
};

}  // namespace entitable

#endif  // ENTITABLE_QUERY_FIXED_STRING_BUFFER_H_
