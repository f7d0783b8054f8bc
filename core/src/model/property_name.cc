#include "model/property_name.h"

#include <algorithm>
#include <span>

#include "base/ascii.h"
#include "base/utf.h"
#include "model/property_name_table.h"

namespace entitable {
namespace {

bool Contains(std::span<const CodeUnitRange> ranges, char32_t code_point) {
  const auto range =
      std::ranges::lower_bound(ranges, code_point, {}, &CodeUnitRange::last);
  return range != ranges.end() && range->first <= code_point;
}

bool IsStart(char32_t code_point) {
  return Contains(kPropertyNameStart, code_point);
}

bool IsPart(char32_t code_point) {
  return IsStart(code_point) || Contains(kPropertyNamePart, code_point);
}

// What nearly all names are made of, answered without a search.
constexpr bool IsAsciiPart(char c) {
  return IsAsciiAlphanumeric(c) || c == '_';
}

}  // namespace

bool IsPropertyName(std::string_view utf8) {
  if (utf8.empty() || !IsStart(TakeCodePoint(utf8))) return false;
  while (!utf8.empty()) {
    if (IsAsciiPart(utf8.front())) {
      utf8.remove_prefix(1);
    } else if (!IsPart(TakeCodePoint(utf8))) {
      return false;
    }
  }
  return true;
}

Result<void> CheckPropertyName(std::string_view utf8) {
  if (Utf16Length(utf8) > kMaxPropertyNameLength) {
    return Fail(ErrorCode::kPropertyNameTooLong);
  }
  if (!IsPropertyName(utf8)) return Fail(ErrorCode::kPropertyNameInvalid);
  return {};
}

}  // namespace entitable
