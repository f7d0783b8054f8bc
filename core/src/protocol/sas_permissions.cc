#include "protocol/sas_permissions.h"

#include <algorithm>

#include "base/ascii.h"

namespace entitable {
namespace {

struct Need {
  std::string_view resource_types;  // Any one of these is required.
  std::string_view permissions;     // All of these are required.
};

Need NeedOf(OperationKind kind, bool has_condition) {
  switch (kind) {
    case OperationKind::kCreateTable:
      return {"c", "c"};
    case OperationKind::kDeleteTable:
      return {"c", "d"};
    case OperationKind::kGetTable:
    case OperationKind::kQueryTables:
      return {"sc", "l"};
    case OperationKind::kInsertEntity:
      return {"o", "a"};
    case OperationKind::kReplaceEntity:
    case OperationKind::kMergeEntity:
      return {"o", has_condition ? "u" : "au"};
    case OperationKind::kDeleteEntity:
      return {"o", "d"};
    case OperationKind::kGetServiceProperties:
      return {"s", "r"};
    case OperationKind::kSetServiceProperties:
      return {"s", "w"};
    default:
      return {"o", "r"};
  }
}

bool HasAll(std::string_view letters, std::string_view needed) {
  return std::ranges::all_of(
      needed, [letters](char letter) { return letters.contains(letter); });
}

}  // namespace

Result<void> CheckSasPermissions(const SasPermissions& sas_permissions,
                                 OperationKind kind, std::string_view table,
                                 bool has_condition) {
  if (kind == OperationKind::kTransaction) return {};
  // Only the owner of the account key may change what signatures allow.
  if (kind == OperationKind::kGetPolicies ||
      kind == OperationKind::kSetPolicies) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  const Need need = NeedOf(kind, has_condition);
  const bool is_for_entities = need.resource_types == "o";
  if (!sas_permissions.resource_types && !is_for_entities) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  if (sas_permissions.resource_types &&
      sas_permissions.resource_types->find_first_of(need.resource_types) ==
          std::string_view::npos) {
    return Fail(ErrorCode::kAuthorizationResourceTypeMismatch);
  }
  // The permission to write includes the permission to create.
  const bool may_create = kind == OperationKind::kCreateTable &&
                          sas_permissions.permissions.contains('w');
  if (!may_create && !HasAll(sas_permissions.permissions, need.permissions)) {
    return Fail(ErrorCode::kAuthorizationPermissionMismatch);
  }
  if (!sas_permissions.resource_types &&
      !EqualsIgnoringAsciiCase(sas_permissions.table, table)) {
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  return {};
}

}  // namespace entitable
