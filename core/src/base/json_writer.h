// json_writer.h - writes JSON as the service does, only in ASCII.

#ifndef ENTITABLE_BASE_JSON_WRITER_H_
#define ENTITABLE_BASE_JSON_WRITER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace entitable {

// Appends the text between double quotes.  Escapes `"`, `\` and control
// characters; every UTF-16 unit above U+007F becomes \u with four lower-case
// digits.  `/ < > & '` are not escaped.  Source: payloads of the spec, section
// 4.1.
void AppendJsonString(std::string_view utf8, TextBuffer& out);
void AppendJsonString(std::string_view utf8, std::string& out);

// std::to_chars would add 1 KB (gzip) to the module.
void AppendDecimal(std::int64_t value, TextBuffer& out);
void AppendDecimal(std::int64_t value, std::string& out);
void AppendUnsigned(std::uint64_t value, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_JSON_WRITER_H_
