#include "model/table_name.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/error_text.h"
#include "base/utf.h"

namespace entitable {
namespace {

// The name of the resource that lists the tables.
constexpr std::string_view kReservedTableName = "tables";

// The byte offset of the first character that is not allowed at its position,
// or the size.
std::size_t FindForbiddenInTable(std::string_view utf8) {
  if (utf8.empty() || !IsAsciiLetter(utf8.front())) return 0;
  const auto at = std::ranges::find_if_not(utf8, IsAsciiAlphanumeric);
  return static_cast<std::size_t>(at - utf8.begin());
}

bool CheckLength(std::string_view utf8, Report& report) {
  const std::size_t length = Utf16Length(utf8);
  const bool is_short = length < kMinTableNameLength;
  if (!is_short && length <= kMaxTableNameLength) return true;
  return report.AddMeasure(Rule::kTableNameLength, ErrorCode::kOutOfRangeInput,
                           {},
                           is_short ? kMinTableNameLength : kMaxTableNameLength,
                           length, kNameLengthText);
}

}  // namespace

std::string FoldTableName(std::string_view text) { return ToLowerAscii(text); }

bool CheckTableName(std::string_view utf8, Report& report) {
  const std::size_t at = FindForbiddenInTable(utf8);
  if (at < utf8.size() &&
      !report.AddCharacter(Rule::kTableNameCharacter,
                           ErrorCode::kInvalidResourceName, {}, utf8, at)) {
    return false;
  }
  if (!CheckLength(utf8, report)) return false;
  return FoldTableName(utf8) != kReservedTableName ||
         report.Add(Rule::kTableNameReserved, ErrorCode::kInvalidInput);
}

Result<TableName> TableName::Parse(std::string_view text) {
  Report report;
  if (!CheckTableName(text, report)) {
    return report.FirstError();
  }
  return TableName(text);
}

TableName::TableName(std::string_view text)
    : text_(text), folded_(FoldTableName(text)) {}

}  // namespace entitable
