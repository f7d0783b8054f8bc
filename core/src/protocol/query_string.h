// query_string.h - the part of an address behind the question mark.
//
// Source: operations of the spec, 2.2.2.

#ifndef ENTITABLE_PROTOCOL_QUERY_STRING_H_
#define ENTITABLE_PROTOCOL_QUERY_STRING_H_

#include <optional>
#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

// The parameters that we look at, decoded.
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

// Into options of which none is set.  Names are case-sensitive; those that
// nobody knows are passed over.  Fails with InvalidUri when a name or value
// does not decode to UTF-8, NotImplemented for an OData option that the service
// lacks, InvalidInput for a known name given twice, and
// InvalidQueryParameterValue for a timeout that is no positive number.
Result<void> ParseQueryString(std::string_view query, QueryOptions& options);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_QUERY_STRING_H_
