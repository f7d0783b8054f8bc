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

// The offset in bytes of the first character that cannot stand where it does,
// or the size.
std::size_t FindForbidden(std::string_view utf8) {
  std::string_view rest = utf8;
  if (rest.empty() || !IsStart(TakeCodePoint(rest))) return 0;
  while (!rest.empty()) {
    const std::size_t at = utf8.size() - rest.size();
    if (IsAsciiPart(rest.front())) {
      rest.remove_prefix(1);
    } else if (!IsPart(TakeCodePoint(rest))) {
      return at;
    }
  }
  return utf8.size();
}

}  // namespace

bool IsPropertyName(std::string_view utf8) {
  return !utf8.empty() && FindForbidden(utf8) == utf8.size();
}

bool CheckPropertyName(std::string_view utf8, Report::Path path,
                       Report& report) {
  const std::size_t length = Utf16Length(utf8);
  if (length > kMaxPropertyNameLength &&
      !report.AddMeasure(Rule::kPropertyNameLength,
                         ErrorCode::kPropertyNameTooLong, path,
                         kMaxPropertyNameLength, length)) {
    return false;
  }
  if (utf8.empty()) {
    return report.AddMeasure(Rule::kPropertyNameLength,
                             ErrorCode::kPropertyNameInvalid, path, 1, 0);
  }
  const std::size_t at = FindForbidden(utf8);
  return at == utf8.size() ||
         report.AddCharacter(Rule::kPropertyNameCharacter,
                             ErrorCode::kPropertyNameInvalid, path, utf8, at);
}

Result<void> CheckPropertyName(std::string_view utf8) {
  Report report;
  if (!CheckPropertyName(utf8, {}, report)) {
    return std::unexpected(report.FirstError());
  }
  return {};
}

}  // namespace entitable
