// path.h - which resource of the account an address names.
//
//   path  = "/" | "/$batch" | "/$metadata"
//         | "/Tables" [ "()" ] | "/Tables(" text ")"
//         | "/" table [ "()" ] | "/" table "(" key "," [ spaces ] key ")"
//   key   = "PartitionKey=" text | "RowKey=" text       ; one of each
//   text  = "'" *( any character but a quote | "''" ) "'"
//
// A slash at the end is passed over; `Tables` is written in any case.
// Source: operations of the spec, 2.2.1.

#ifndef ENTITABLE_PROTOCOL_PATH_H_
#define ENTITABLE_PROTOCOL_PATH_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

enum class ResourceKind : std::uint8_t {
  kService,   // The account itself.
  kMetadata,  // What OData servers say of their types; ours says nothing.
  kBatch,
  kTables,
  kTable,
  kEntities,
  kEntity,
};

struct Resource {
  ResourceKind kind = ResourceKind::kService;
  std::string table = {};  // kTable, kEntities, kEntity: as in the address.
  std::string partition_key = {};  // kEntity
  std::string row_key = {};        // kEntity
};

// Reads a path, still percent-encoded, below the account's own.  Fails with
// InvalidUri when it does not decode to UTF-8, and with InvalidInput when it
// does not follow the grammar.  Names and keys are not checked.
Result<Resource> ParsePath(std::string_view path);

// "/b/c" of "https://a/b/c", and of "/b/c" itself.
std::string_view PathOfUrl(std::string_view url);

// What follows the account's own path, which begins with a slash or is empty.
struct AccountPath {
  std::string_view path;
  bool is_secondary = false;  // Behind the account's name stood "-secondary".
};

// Fails with InvalidUri for a path that lies elsewhere.
Result<AccountPath> PathInAccount(std::string_view path,
                                  std::string_view account_path);

// Whether the host, where it names the account, is the secondary one.
bool IsSecondaryHost(std::string_view host);

// "a" of "https://a/b/c"; empty where a path is all there is.
std::string_view HostOfUrl(std::string_view url);

// "https://a" of "https://a/b/c"; empty where a path is all there is.
std::string_view RootOfUrl(std::string_view url);

// Whether it can be the host of an address: a name or an IP address, with a
// port or without.
bool IsHost(std::string_view text);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_PATH_H_
