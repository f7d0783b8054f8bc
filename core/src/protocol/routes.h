// routes.h - which operation a method on a resource means.
//
// Source: operations of the spec, 2.1.

#ifndef ENTITABLE_PROTOCOL_ROUTES_H_
#define ENTITABLE_PROTOCOL_ROUTES_H_

#include <cstdint>
#include <string_view>

#include "entitable/result.h"
#include "protocol/path.h"
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
Result<SettingsRoute> FindSettings(std::string_view method,
                                   ResourceKind resource,
                                   std::string_view component,
                                   std::string_view resource_type);

// Whether the operation takes a body.
bool TakesBody(OperationKind kind);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ROUTES_H_
