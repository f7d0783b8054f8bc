// hex.h - bytes as hexadecimal digits, two for each.

#ifndef ENTITABLE_BASE_HEX_H_
#define ENTITABLE_BASE_HEX_H_

#include <string>
#include <string_view>

namespace entitable {

// In lower case, so texts of one length have the order of their bytes.
std::string HexOf(std::string_view bytes);

// The inverse.  Meaningless for other texts.
std::string BytesOfHex(std::string_view digits);

}  // namespace entitable

#endif  // ENTITABLE_BASE_HEX_H_
