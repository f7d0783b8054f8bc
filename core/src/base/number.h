// number.h - integers and doubles from and to text, whatever the locale.
//
// simdjson reads doubles: libc++ has no std::from_chars for them.  Code of our
// own prints them (shortest_decimal.h): simdjson's text is not always the
// shortest, and std::to_chars adds 12 KB gzip to the module.

#ifndef ENTITABLE_BASE_NUMBER_H_
#define ENTITABLE_BASE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text_buffer.h"

namespace entitable {

// [-]digits, leading zeros allowed, nothing around them; nothing when out of
// range.
std::optional<std::int32_t> ParseInt32(std::string_view text);
std::optional<std::int64_t> ParseInt64(std::string_view text);

// [-]digits[.[digits]][(e|E)[+|-]digits], finite after rounding; nothing for
// any other text, or on overflow.  The special values are the caller's affair.
std::optional<double> ParseDouble(std::string_view text);

// Whether a text that has no value has the form of one, and so is out of range.
bool HasIntegerForm(std::string_view text);
bool HasDoubleForm(std::string_view text);

// NaN, Infinity and -Infinity by name; a finite value in the service's notation
// with the fewest digits that read back as the same double: fixed while the
// exponent lies between -5 and 15 (17 where more than 15 digits are needed),
// else d.dddE+XX; always with '.' or 'E', so that 3 is "3.0".  -0.0 is "0.0".
// Source: data model of the spec, section 1.5.3.
void AppendDouble(double value, TextBuffer& out);
void AppendDouble(double value, std::string& out);

}  // namespace entitable

#endif  // ENTITABLE_BASE_NUMBER_H_
