// guid.h - 128 bits and their text.

#ifndef ENTITABLE_BASE_GUID_H_
#define ENTITABLE_BASE_GUID_H_

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entitable {

// The bytes are in the order of the text, so comparing them compares the
// canonical texts, as the service does.
struct Guid {
  std::array<std::uint8_t, 16> bytes{};

  // Accepts only 8-4-4-4-12 hexadecimal digits in either case, without braces.
  static std::optional<Guid> Parse(std::string_view text);

  // 36 characters, lower case.
  std::string ToString() const;

  auto operator<=>(const Guid&) const = default;
};

}  // namespace entitable

#endif  // ENTITABLE_BASE_GUID_H_
