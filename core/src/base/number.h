// number.h - converts integers and doubles from and to text, independent of the
// locale.
//
// nearest_double.h reads doubles: libc++ has no std::from_chars for them, and
// the tables of simdjson would be larger.  shortest_decimal.h prints them:
// simdjson's text is not always the shortest, and std::to_chars would add 12 KB
// (gzip) to the module.

#ifndef ENTITABLE_BASE_NUMBER_H_
#define ENTITABLE_BASE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace entitable {

// [-]digits, with optional leading zeros; nothing for other text or if out of
// range.
std::optional<std::int32_t> ParseInt32(std::string_view text);
std::optional<std::int64_t> ParseInt64(std::string_view text);

// [-]digits[.[digits]][(e|E)[+|-]digits], finite after rounding; nothing for
// other text or if out of range.  The caller handles NaN and infinities.
std::optional<double> ParseDouble(std::string_view text);

// Whether a text has the form of an integer.  If ParseInt...() fails for such a
// text, it is out of range.
bool HasIntegerForm(std::string_view text);
bool HasDoubleForm(std::string_view text);

// NaN, Infinity and -Infinity by name.  A finite value in the service's
// notation, with the fewest digits that read back as the same double: fixed if
// the exponent is between -5 and 15 (17 if more than 15 digits are needed),
// otherwise d.dddE+XX.  The text always contains '.' or 'E', so 3 is "3.0".
// -0.0 is "0.0".  Source: data model of the spec, section 1.5.3.
void AppendDouble(double value, TextBuffer& out);
void AppendDouble(double value, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_NUMBER_H_
