#include "protocol/query_string.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/text_encodings.h"
#include "base/utf.h"

namespace entitable {
namespace {

struct KnownOption {
  std::string_view name;
  std::optional<std::string> QueryOptions::*value;
};

constexpr KnownOption kKnownOptions[] = {
    {"$filter", &QueryOptions::filter},
    {"$select", &QueryOptions::select},
    {"$top", &QueryOptions::top},
    {"$format", &QueryOptions::format},
    {"NextPartitionKey", &QueryOptions::next_partition_key},
    {"NextRowKey", &QueryOptions::next_row_key},
    {"NextTableName", &QueryOptions::next_table_name},
    {"timeout", &QueryOptions::timeout},
    {"comp", &QueryOptions::component},
    {"restype", &QueryOptions::resource_type},
    {"sv", &QueryOptions::signed_version},
};

// In a query string, unlike in a path, a plus sign means a space.
Result<std::string> Decoded(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  auto decoded = DecodePercent(spaced);
  if (!decoded || !IsValidUtf8(*decoded)) return Fail(ErrorCode::kInvalidUri);
  return *std::move(decoded);
}

Result<void> TakeParameter(std::string_view parameter, QueryOptions& options) {
  const std::size_t name_end = std::min(parameter.find('='), parameter.size());
  ENTITABLE_TRY(const std::string name, Decoded(parameter.substr(0, name_end)));
  parameter.remove_prefix(std::min(name_end + 1, parameter.size()));
  ENTITABLE_TRY(std::string value, Decoded(parameter));
  for (const KnownOption& known : kKnownOptions) {
    if (known.name != name) continue;
    std::optional<std::string>& place = options.*known.value;
    if (place) return Fail(ErrorCode::kInvalidInput);
    place = std::move(value);
    return {};
  }
  if (name.starts_with('$')) return Fail(ErrorCode::kNotImplemented);
  return {};
}

// Any number of seconds is accepted: no operation takes that long.
bool IsTimeout(std::string_view text) {
  return std::ranges::all_of(text, IsAsciiDigit) &&
         text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

Result<void> ParseQueryString(std::string_view query, QueryOptions& options) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    ENTITABLE_TRY(TakeParameter(query.substr(0, end), options));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  if (options.timeout && !IsTimeout(*options.timeout)) {
    return Fail(ErrorCode::kInvalidQueryParameterValue);
  }
  return {};
}

}  // namespace entitable
