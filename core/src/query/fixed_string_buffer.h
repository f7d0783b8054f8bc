// fixed_string_buffer.h - a string buffer that never moves its bytes.

#ifndef ENTITABLE_QUERY_FIXED_STRING_BUFFER_H_
#define ENTITABLE_QUERY_FIXED_STRING_BUFFER_H_

#include <cassert>
#include <cstddef>
#include <string_view>
#include <vector>

namespace entitable {

// Views of added texts stay valid as long as the buffer lives, even when the
// buffer object is moved: a moved vector hands on its memory, a moved string
// may not.  For the same reason the capacity is fixed, and the buffer cannot be
// copied.
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
