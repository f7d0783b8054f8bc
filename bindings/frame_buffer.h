// frame_buffer.h - where JavaScript writes the next frame.

#ifndef ENTITABLE_BINDINGS_FRAME_BUFFER_H_
#define ENTITABLE_BINDINGS_FRAME_BUFFER_H_

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace entitable {

// A frame may be too long for any gap in the heap, even if there is enough
// memory.  So its allocation may fail, unlike all others.
class FrameBuffer {
 public:
  FrameBuffer() = default;
  FrameBuffer(const FrameBuffer&) = delete;
  FrameBuffer& operator=(const FrameBuffer&) = delete;
  ~FrameBuffer() { std::free(data_); }

  // Returns false if there is no memory.  A longer buffer is a new one: what
  // was written into the old one is lost.
  bool Reserve(std::size_t size) {
    if (size <= size_) return true;
    Release();
    data_ = static_cast<char*>(std::malloc(size));
    size_ = data_ == nullptr ? 0 : size;
    return data_ != nullptr;
  }

  void Release() {
    std::free(std::exchange(data_, nullptr));
    size_ = 0;
  }

  const char* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_BINDINGS_FRAME_BUFFER_H_
