// percent.h - percent-encoding, for addresses.

#ifndef ENTITABLE_BASE_PERCENT_H_
#define ENTITABLE_BASE_PERCENT_H_

#include <optional>
#include <string>
#include <string_view>

namespace entitable {

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

#endif  // ENTITABLE_BASE_PERCENT_H_
