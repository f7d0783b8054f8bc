// routes.h - which operation a request means, whether a signature allows it,
// and which store of several it belongs to.
//
// Source: operations of the spec, 2.1; auth, 5.6 to 5.8.

#ifndef ENTITABLE_PROTOCOL_ROUTES_H_
#define ENTITABLE_PROTOCOL_ROUTES_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/address.h"
#include "request/operation_fields.h"

namespace entitable {

// Fails with MethodNotAllowed, with NotImplemented for a resource or method
// that this front end does not support, or as the service for kTablesInTable.
Result<OperationKind> FindRoute(std::string_view method, ResourceKind resource);

// The document that a settings request is about.
enum class Document : std::uint8_t {
  kNone,  // Not a settings request.
  kPolicies,
  kProperties,
  kStatistics,
  kPreflight,
  kCorsHeaders,  // See HttpRequest::answered.
};

struct SettingsRoute {
  Document document;
  // For statistics, the operation is that of service properties; its answer is
  // not used.
  OperationKind operation;
};

// The route of an address with `comp` or `restype`.  Fails with
// InvalidQueryParameterValue if the resource has no such document, and with
// MethodNotAllowed.
//
// Source: operations of the spec, 2.13 to 2.16.
Result<SettingsRoute> FindSettings(std::string_view method,
                                   ResourceKind resource,
                                   std::string_view component,
                                   std::string_view resource_type);

// Whether the operation takes a body.
bool TakesBody(OperationKind kind);

// ------------------------------------------------------------- sas permissions

// Checks whether a shared access signature allows an
// operation.
//
// Source: auth of the spec, 5.6 to 5.8.

// Check the requests of a batch one by one.  `has_condition`: the request has
// If-Match, so it cannot insert.  The engine checks which entities are allowed.
// Fails with AuthorizationResourceTypeMismatch, AuthorizationPermissionMismatch
// or AuthorizationFailure.
Result<void> CheckSasPermissions(const SasPermissions& sas_permissions,
                                 OperationKind kind, std::string_view table,
                                 bool has_condition);

// --------------------------------------------------------------- request route

// Where a request belongs, for an account that is spread over
// several stores by a hash of table and PartitionKey.

// As the other RouteOf() in http.h.
//
// A store knows its partitions and nothing of the others.  So a request that
// concerns one partition goes to one store, a query of many goes to all and is
// merged, and what defines a table goes to one store that keeps the definitions
// (docs/internals/shards.md).
std::string RouteOf(const HttpRequest& request, std::string_view account_path,
                    Profile profile);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ROUTES_H_
