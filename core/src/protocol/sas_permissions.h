// sas_permissions.h - checks whether a shared access signature allows an
// operation.
//
// Source: auth of the spec, 5.6 to 5.8.

#ifndef ENTITABLE_PROTOCOL_SAS_PERMISSIONS_H_
#define ENTITABLE_PROTOCOL_SAS_PERMISSIONS_H_

#include <string_view>

#include "entitable/http.h"
#include "entitable/result.h"
#include "request/operation_fields.h"

namespace entitable {

// Check the requests of a batch one by one.  `has_condition`: the request has
// If-Match, so it cannot insert.  The engine checks which entities are allowed.
// Fails with AuthorizationResourceTypeMismatch, AuthorizationPermissionMismatch
// or AuthorizationFailure.
Result<void> CheckSasPermissions(const SasPermissions& sas_permissions,
                                 OperationKind kind, std::string_view table,
                                 bool has_condition);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SAS_PERMISSIONS_H_
