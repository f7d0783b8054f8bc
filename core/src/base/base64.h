// base64.h - the standard alphabet with padding (RFC 4648 section 4).

#ifndef ENTITABLE_BASE_BASE64_H_
#define ENTITABLE_BASE_BASE64_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace entitable {

void AppendBase64(std::string_view bytes, TextBuffer& out);
void AppendBase64(std::string_view bytes, std::string& out);

// Nothing for other alphabets, white space, missing padding, or nonzero bits
// behind the last byte.
std::optional<std::string> DecodeBase64(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_BASE64_H_
