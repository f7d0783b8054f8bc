// What simdjson falls back to for doubles that 128 bits do not tell.

#include <simdjson.h>

#include <cstring>
#include <limits>

#include "base/number.h"

// Both read a number that was found to be well formed.  Infinity is what
// simdjson refuses.

namespace simdjson::internal {

double from_chars(const char* first, const char* end) noexcept {
  const std::string_view text(first, end);
  return entitable::ParseDouble(text).value_or(
      std::numeric_limits<double>::infinity());
}

// Something that is no part of it follows.
double from_chars(const char* first) noexcept {
  return from_chars(first, first + std::strspn(first, "+-.0123456789Ee"));
}

}  // namespace simdjson::internal
