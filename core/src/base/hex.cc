#include "base/hex.h"

#include <cstddef>

namespace entitable {
namespace {

int ValueOf(char digit) {
  return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

}  // namespace

std::string HexOf(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    digits += kDigits[value >> 4];
    digits += kDigits[value & 15];
  }
  return digits;
}

std::string BytesOfHex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 1; i < digits.size(); i += 2) {
    bytes +=
        static_cast<char>(ValueOf(digits[i - 1]) << 4 | ValueOf(digits[i]));
  }
  return bytes;
}

}  // namespace entitable
