// frame_field.h - a field of a frame, and the frame of an answer:
// docs/internals/frames.md.

#ifndef ENTITABLE_TESTS_SUPPORT_FRAME_FIELD_H_
#define ENTITABLE_TESTS_SUPPORT_FRAME_FIELD_H_

#include <string_view>

#include "entitable/frame.h"
#include "entitable/storage.h"

namespace entitable {

// tag:u8 length:u32 bytes
inline Bytes Field(int tag, std::string_view bytes) {
  const auto size = bytes.size();
  Bytes field;
  field += static_cast<char>(tag);
  for (int shift = 0; shift < 32; shift += 8) {
    field += static_cast<char>((size >> shift) & 0xFF);
  }
  return field.append(bytes);
}

inline Bytes FrameOf(const Response& response) {
  Bytes frame;
  EncodeResponse(response, frame);
  return frame;
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_FRAME_FIELD_H_
