// query_string.h - the query string of an address.
//
// Source: operations of the spec, 2.2.2.

#ifndef ENTITABLE_PROTOCOL_QUERY_STRING_H_
#define ENTITABLE_PROTOCOL_QUERY_STRING_H_

#include <optional>
#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

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
Result<void> ParseQueryString(std::string_view query, QueryOptions& options);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_QUERY_STRING_H_
