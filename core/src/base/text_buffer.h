// text_buffer.h - appends many small pieces to a string.
//
// A string checks its representation on every append; here, appending a byte is
// one store.

#ifndef ENTITABLE_BASE_TEXT_BUFFER_H_
#define ENTITABLE_BASE_TEXT_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace entitable {

// Copies bytes, usually fewer than are worth a call of memcpy().  Returns all
// copied bytes combined by `or`, eight at a time.
std::uint64_t CopyShort(std::string_view bytes, char* to);

// The string contains the new bytes only after the buffer is destroyed, and
// must not be used before.
class TextBuffer {
 public:
  explicit TextBuffer(std::string& text)
      : text_(text), at_(text.data() + text.size()), end_(at_) {}
  ~TextBuffer() { text_.resize(size()); }
  TextBuffer(const TextBuffer&) = delete;
  TextBuffer& operator=(const TextBuffer&) = delete;

  // Removes all bytes, but keeps the memory.
  void Clear() { at_ = text_.data(); }

  std::string_view view() const { return {text_.data(), size()}; }
  std::size_t size() const {
    return static_cast<std::size_t>(at_ - text_.data());
  }
  char back() const { return at_[-1]; }

  void push_back(char c) {
    if (at_ == end_) Grow(1);
    *at_++ = c;
  }
  void append(std::string_view bytes);
  void append(std::size_t count, char c) {
    while (count-- > 0) push_back(c);
  }
  void RemoveLast(std::size_t count) { at_ -= count; }

  // Appends `count` bytes that the caller then writes.
  char* Extend(std::size_t count) {
    if (static_cast<std::size_t>(end_ - at_) < count) Grow(count);
    return std::exchange(at_, at_ + count);
  }
  template <typename Number>
  void Put(Number number) {
    std::memcpy(Extend(sizeof number), &number, sizeof number);
  }

  TextBuffer& operator+=(char c) {
    push_back(c);
    return *this;
  }
  TextBuffer& operator+=(std::string_view bytes) {
    append(bytes);
    return *this;
  }

 private:
  // Makes room for at least `count` more bytes.
  void Grow(std::size_t count);

  std::string& text_;
  char* at_;
  char* end_;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_TEXT_BUFFER_H_
