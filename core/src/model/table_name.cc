#include "model/table_name.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/error_text.h"

namespace entitable {
namespace {

// The resource that lists the tables has this name.
constexpr std::string_view kReservedTableName = "tables";

}  // namespace

std::string FoldTableName(std::string_view text) { return ToLowerAscii(text); }

Result<TableName> TableName::Parse(std::string_view text) {
  if (!text.empty() &&
      (!IsAsciiLetter(text.front()) ||
       !std::all_of(text.begin(), text.end(), IsAsciiAlphanumeric))) {
    return Fail(ErrorCode::kInvalidResourceName);
  }
  if (text.size() < kMinTableNameLength || text.size() > kMaxTableNameLength) {
    return Fail(ErrorCode::kOutOfRangeInput, kNameLengthText);
  }
  if (FoldTableName(text) == kReservedTableName) {
    return Fail(ErrorCode::kInvalidInput);
  }
  return TableName(text);
}

TableName::TableName(std::string_view text)
    : text_(text), folded_(FoldTableName(text)) {}

}  // namespace entitable
