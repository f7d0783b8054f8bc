#include "read/select.h"

#include <algorithm>

#include "base/utf.h"
#include "model/property_name.h"

namespace entitable {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

Result<Select> Select::Parse(std::string_view text) {
  Select select;
  text = Trimmed(text);
  if (text.empty() || text == "*") return select;

  const auto commas = std::count(text.begin(), text.end(), ',');
  if (static_cast<std::size_t>(commas) >= kMaxSelectedNames ||
      !IsValidUtf8(text)) {
    return Fail(ErrorCode::kInvalidInput);
  }
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = Trimmed(text.substr(begin, end - begin));
    if (!CheckPropertyName(name)) return Fail(ErrorCode::kInvalidInput);
    select.names_.FindOrAdd(name);
    begin = end + 1;
  }
  return select;
}

}  // namespace entitable
