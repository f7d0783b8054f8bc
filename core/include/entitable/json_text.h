// json_text.h - a text that may be parsed where it is.

#ifndef ENTITABLE_JSON_TEXT_H_
#define ENTITABLE_JSON_TEXT_H_

#include <cstddef>
#include <string_view>

namespace entitable {

// A view of a text, and the number of bytes that can be read from its start.
// If at least kJsonPadding bytes can be read after the text, it is parsed in
// place, and those bytes are ignored.  Otherwise it is copied once.
struct JsonText {
  std::string_view text = {};
  std::size_t capacity = 0;
};

inline constexpr std::size_t kJsonPadding = 64;

}  // namespace entitable

#endif  // ENTITABLE_JSON_TEXT_H_
