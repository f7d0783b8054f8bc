// routes.h - what a method means on a resource.
//
// Source: operations of the spec, 2.1.

#ifndef ENTITABLE_PROTOCOL_ROUTES_H_
#define ENTITABLE_PROTOCOL_ROUTES_H_

#include <string_view>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "protocol/path.h"

namespace entitable {

// Fails with MethodNotAllowed, or with NotImplemented for a resource or a
// method that is no part of this front.
Result<OperationKind> FindRoute(std::string_view method, ResourceKind resource);

// Whether the operation takes a body.
bool TakesBody(OperationKind kind);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ROUTES_H_
