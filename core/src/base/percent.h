// percent.h - text in addresses.

#ifndef ENTITABLE_BASE_PERCENT_H_
#define ENTITABLE_BASE_PERCENT_H_

#include <optional>
#include <string>
#include <string_view>

namespace entitable {

// Appends the bytes with upper-case hexadecimal digits for all but the letters,
// the digits and `- _ . ~ ! * ( )`.  Source: payloads of the spec, section 4.3.
void AppendPercentEncoded(std::string_view text, std::string& out);

// Appends the text between single quotes, as a key stands in an address: a
// quote within it is doubled and left raw, all else is encoded as above.
void AppendKeyLiteral(std::string_view text, std::string& out);

// Nothing when a percent sign lacks its two digits.  A plus sign is itself. The
// result may be any bytes: whether they are UTF-8 is for the caller to check.
std::optional<std::string> DecodePercent(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_BASE_PERCENT_H_
