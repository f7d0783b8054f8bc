#include "protocol/address.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/error_text.h"
#include "base/text_encodings.h"
#include "base/utf.h"

namespace entitable {
namespace {

constexpr std::string_view kSchemeEnd = "://";
constexpr std::string_view kSecondary = "-secondary";

Failure UnreadablePath() {
  return Fail(ErrorCode::kInvalidInput, kQuerySyntaxText);
}

// Reads the text between the parentheses of an address from the left.
class ArgumentReader {
 public:
  explicit ArgumentReader(std::string_view text) : rest_(text) {}

  // Returns false and removes nothing if this text does not come next.
  bool Skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  void SkipSpaces() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size()));
  }

  // Without its quotes.  Nothing if no quoted text comes next, or if it does
  // not end.
  std::optional<std::string> ReadQuoted() {
    if (!Skip("'")) return std::nullopt;
    std::string text;
    for (;;) {
      const std::size_t quote = rest_.find('\'');
      if (quote == std::string_view::npos) return std::nullopt;
      text.append(rest_.substr(0, quote));
      rest_.remove_prefix(quote + 1);
      if (!Skip("'")) return text;
      text.push_back('\'');
    }
  }

  // Whether exactly this text is left.
  bool EndsWith(std::string_view text) const { return rest_ == text; }

 private:
  std::string_view rest_;
};

// Takes the two keys in either order.  Returns false if they are malformed.
bool ReadKeys(ArgumentReader& arguments, Resource& entity) {
  const bool is_row_first = arguments.Skip("RowKey=");
  if (!is_row_first && !arguments.Skip("PartitionKey=")) return false;
  auto first = arguments.ReadQuoted();
  if (!first || !arguments.Skip(",")) return false;
  arguments.SkipSpaces();
  if (!arguments.Skip(is_row_first ? "PartitionKey=" : "RowKey=")) return false;
  auto second = arguments.ReadQuoted();
  if (!second || !arguments.EndsWith(")")) return false;
  entity.partition_key = *std::move(is_row_first ? second : first);
  entity.row_key = *std::move(is_row_first ? first : second);
  return true;
}

bool IsTables(std::string_view name) {
  return EqualsIgnoringAsciiCase(name, "Tables");
}

Resource SetOf(std::string_view name) {
  if (IsTables(name)) return {ResourceKind::kTables};
  return {ResourceKind::kEntities, std::string(name)};
}

Result<Resource> ElementOf(std::string_view name, ArgumentReader arguments) {
  if (arguments.EndsWith(")")) return SetOf(name);
  if (IsTables(name)) {
    auto table = arguments.ReadQuoted();
    if (!table || !arguments.EndsWith(")")) return UnreadablePath();
    return Resource{ResourceKind::kTable, *std::move(table)};
  }
  Resource entity{ResourceKind::kEntity, std::string(name)};
  if (!ReadKeys(arguments, entity)) return UnreadablePath();
  return entity;
}

// Without slashes around it.
Result<Resource> ParseSegment(std::string_view text) {
  const std::size_t name_end = std::min(text.find('('), text.size());
  const std::string_view name = text.substr(0, name_end);
  if (name.empty() || name.contains('/')) return UnreadablePath();
  if (name.size() == text.size()) return SetOf(name);
  return ElementOf(name, ArgumentReader(text.substr(name_end + 1)));
}

}  // namespace

Result<Resource> ParsePath(std::string_view path) {
  const auto decoded = DecodePercent(path);
  if (!decoded || !IsValidUtf8(*decoded)) return Fail(ErrorCode::kInvalidUri);
  std::string_view rest = *decoded;
  if (rest.starts_with('/')) rest.remove_prefix(1);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (rest.empty()) return Resource{ResourceKind::kService};
  if (rest == "$batch") return Resource{ResourceKind::kBatch};
  if (rest == "$metadata") return Resource{ResourceKind::kMetadata};

  const std::size_t slash = rest.substr(0, rest.find('(')).find('/');
  if (slash == std::string_view::npos) return ParseSegment(rest);
  ENTITABLE_TRY(Resource tables, ParseSegment(rest.substr(slash + 1)));
  const bool is_set = tables.kind == ResourceKind::kTables;
  if (slash == 0 || (!is_set && tables.kind != ResourceKind::kTable)) {
    return UnreadablePath();
  }
  return Resource{
      is_set ? ResourceKind::kTablesInTable : ResourceKind::kTableInTable,
      std::string(rest.substr(0, slash))};
}

std::string_view PathOfUrl(std::string_view url) {
  const std::size_t scheme = url.find(kSchemeEnd);
  if (url.starts_with('/') || scheme == std::string_view::npos) return url;
  url.remove_prefix(scheme + kSchemeEnd.size());
  return url.substr(std::min(url.find('/'), url.size()));
}

// "/acct/Pets" and "/acct-secondary/Pets" are below "/acct", but "/acct2/Pets"
// is not.
Result<AccountPath> PathInAccount(std::string_view path,
                                  std::string_view account_path) {
  if (!path.starts_with(account_path)) return Fail(ErrorCode::kInvalidUri);
  path.remove_prefix(account_path.size());
  const bool is_secondary =
      !account_path.empty() && path.starts_with(kSecondary);
  if (is_secondary) path.remove_prefix(kSecondary.size());
  const bool is_inside =
      account_path.empty() || path.empty() || path.front() == '/';
  if (!is_inside) return Fail(ErrorCode::kInvalidUri);
  return AccountPath{path, is_secondary};
}

// The first label of the host is the name, as in
// "acct-secondary.table.example".
AccountHost AccountInHost(std::string_view host) {
  std::string_view account = host.substr(0, host.find('.'));
  const bool is_secondary = account.ends_with(kSecondary);
  if (is_secondary) account.remove_suffix(kSecondary.size());
  return {account, is_secondary};
}

std::string_view RootOfUrl(std::string_view url) {
  const std::string_view path = PathOfUrl(url);
  if (path.size() == url.size()) return {};
  url.remove_suffix(path.size());
  return url;
}

std::string_view HostOfUrl(std::string_view url) {
  const std::string_view root = RootOfUrl(url);
  if (root.empty()) return {};
  return root.substr(root.find(kSchemeEnd) + kSchemeEnd.size());
}

// The host becomes a part of addresses in answers, so it must not contain
// anything that would end it there.
bool IsHost(std::string_view text) {
  // A host name has at most 253 characters, a port five, and a colon separates
  // them.
  constexpr std::size_t kMaxHost = 253 + 6;
  return !text.empty() && text.size() <= kMaxHost &&
         std::ranges::all_of(text, [](char c) {
           return IsAsciiAlphanumeric(c) ||
                  std::string_view("-._:[]").contains(c);
         });
}

// ---------------------------------------------------------------- query string

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

Result<void> ReadParameter(std::string_view parameter, QueryOptions& options) {
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
    ENTITABLE_TRY(ReadParameter(query.substr(0, end), options));
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  if (options.timeout && !IsTimeout(*options.timeout)) {
    return Fail(ErrorCode::kInvalidQueryParameterValue);
  }
  return {};
}

}  // namespace entitable
