// text_encodings.h - bytes as texts: hexadecimal, Base64, and percent encoding.

#ifndef ENTITABLE_BASE_TEXT_ENCODINGS_H_
#define ENTITABLE_BASE_TEXT_ENCODINGS_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace entitable {

// ------------------------------------------------------------------------- hex

// Bytes as hexadecimal digits, two for each.

// In lower case, so texts of one length have the order of their bytes.
std::string HexOf(std::string_view bytes);

// The inverse.  Meaningless for other texts.
std::string BytesOfHex(std::string_view digits);

// ---------------------------------------------------------------------- base64

// The standard alphabet with padding (RFC 4648 section 4).

void AppendBase64(std::string_view bytes, TextBuffer& out);
void AppendBase64(std::string_view bytes, std::string& out);

// Nothing for other alphabets, white space, missing padding, or nonzero bits
// behind the last byte.
std::optional<std::string> DecodeBase64(std::string_view text);

// --------------------------------------------------------------------- percent

// Percent-encoding, for addresses.

// Appends the text between single quotes, like a key in an address.  Quotes
// within it are doubled.  Encodes all other bytes except letters, digits and
// `- _ . ~ ! * ( )` with upper-case hexadecimal digits.  Source: payloads of
// the spec, section 4.3.
void AppendKeyLiteral(std::string_view text, std::string& out);

// Appends a list of names with commas between, as the value of a query option:
// encoded as above, except the commas.
void AppendPercentEncodedList(std::string_view text, std::string& out);

// Nothing if two digits do not follow a percent sign.  A plus sign stays a plus
// sign.  The result may be invalid UTF-8; the caller must check it.
std::optional<std::string> DecodePercent(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_TEXT_ENCODINGS_H_
