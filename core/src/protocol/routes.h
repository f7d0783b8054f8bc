// routes.h - what a method means on a resource.
//
// Source: operations of the spec, 2.1.

#ifndef ENTITABLE_PROTOCOL_ROUTES_H_
#define ENTITABLE_PROTOCOL_ROUTES_H_

#include <cstdint>
#include <string_view>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "protocol/path.h"

namespace entitable {

// Fails with MethodNotAllowed, or with NotImplemented for a resource or a
// method that is no part of this front.
Result<OperationKind> FindRoute(std::string_view method, ResourceKind resource);

// What a request for settings is about.
enum class Document : std::uint8_t {
  kNone,  // It is none.
  kPolicies,
  kProperties,
  kStatistics,
  kPreflight,
  kCorsHeaders,  // What HttpRequest::answered asks for.
};

struct SettingsRoute {
  Document document;
  OperationKind
      operation;  // Statistics need none: they are read as properties.
};

// What an address with `comp` or `restype` asks for.  Fails with
// InvalidQueryParameterValue for what the resource does not have, and with
// MethodNotAllowed.
Result<SettingsRoute> FindSettings(std::string_view method,
                                   ResourceKind resource,
                                   std::string_view component,
                                   std::string_view resource_type);

// Whether the operation takes a body.
bool TakesBody(OperationKind kind);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ROUTES_H_
