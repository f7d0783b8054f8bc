// address.h - the path of an address, and its query.

#ifndef ENTITABLE_PROTOCOL_ADDRESS_H_
#define ENTITABLE_PROTOCOL_ADDRESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

// ------------------------------------------------------------------------ path

// The resource that an address names.
//
//   path  = "/" | "/$batch" | "/$metadata"
//         | "/Tables" [ "()" ] | "/Tables(" text ")"
//         | "/" table [ "()" ] | "/" table "(" key "," [ spaces ] key ")"
//         | "/" table "/Tables" [ "()" | "(" text ")" ]
//   key   = "PartitionKey=" text | "RowKey=" text       ; one of each
//   text  = "'" *( any character but a quote | "''" ) "'"
//
// A slash at the end is ignored.  `Tables` may be in any case.  Source:
// operations of the spec, 2.2.1.  The last form is what clients send that were
// given the address of a table as that of the account; the service has errors
// of its own for it.

enum class ResourceKind : std::uint8_t {
  kService,   // The account itself.
  kMetadata,  // The metadata document of OData, which is not supported.
  kBatch,
  kTables,
  kTable,
  kEntities,
  kEntity,
  kTablesInTable,
  kTableInTable,
};

struct Resource {
  ResourceKind kind = ResourceKind::kService;
  // As in the address; kTablesInTable, kTableInTable: the first segment.
  std::string table = {};
  std::string partition_key = {};  // kEntity
  std::string row_key = {};        // kEntity
};

// Reads a percent-encoded path below the account's own path.  Fails with
// InvalidUri if it does not decode to UTF-8, and with InvalidInput if it does
// not follow the grammar.  Does not check names and keys.
//
// The path is decoded once, as a whole, before its quotes are read.  So %27 is
// a quote like any other, and a quote within a key is doubled in either form.
Result<Resource> ParsePath(std::string_view path);

// "/b/c" of "https://a/b/c", and of "/b/c" itself.
std::string_view PathOfUrl(std::string_view url);

// The path behind the account's own path: empty, or beginning with a slash.
struct AccountPath {
  std::string_view path;
  // The account's name was followed by "-secondary".
  bool is_secondary = false;
};

// Fails with InvalidUri if the path is not below the account's path.
Result<AccountPath> PathInAccount(std::string_view path,
                                  std::string_view account_path);

// A host that names the account.
struct AccountHost {
  std::string_view account;
  // The account's name was followed by "-secondary".
  bool is_secondary = false;
};

AccountHost AccountInHost(std::string_view host);

// "a" of "https://a/b/c"; empty if the address is only a path.
std::string_view HostOfUrl(std::string_view url);

// "https://a" of "https://a/b/c"; empty if the address is only a path.
std::string_view RootOfUrl(std::string_view url);

// Whether the text can be the host of an address: a name or an IP address, with
// or without a port.
bool IsHost(std::string_view text);

// ---------------------------------------------------------------- query string

// The query string of an address.
//
// Source: operations of the spec, 2.2.2.

// The known parameters, decoded.
struct QueryOptions {
  std::optional<std::string> filter;
  std::optional<std::string> select;
  std::optional<std::string> top;
  std::optional<std::string> format;
  std::optional<std::string> next_partition_key;
  std::optional<std::string> next_row_key;
  std::optional<std::string> next_table_name;
  std::optional<std::string> timeout;
  std::optional<std::string> component;       // comp
  std::optional<std::string> resource_type;   // restype
  std::optional<std::string> signed_version;  // sv
};

// Fills empty options.  Names are case-sensitive; unknown names are ignored.
// Fails with InvalidUri if a name or value does not decode to UTF-8,
// NotImplemented for an OData option that the service does not support,
// InvalidInput if a known name occurs twice, and InvalidQueryParameterValue if
// the timeout is not a positive number.
//
// A plus sign is a space here, and a plus sign in a path.
Result<void> ParseQueryString(std::string_view query, QueryOptions& options);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ADDRESS_H_
