#include "protocol/routes.h"

#include <algorithm>

#include "base/ascii.h"

namespace entitable {
namespace {

struct Route {
  std::string_view method;
  ResourceKind resource;
  OperationKind operation;
};

constexpr Route kRoutes[] = {
    {"GET", ResourceKind::kTables, OperationKind::kQueryTables},
    {"POST", ResourceKind::kTables, OperationKind::kCreateTable},
    {"GET", ResourceKind::kTable, OperationKind::kGetTable},
    {"DELETE", ResourceKind::kTable, OperationKind::kDeleteTable},
    {"GET", ResourceKind::kEntities, OperationKind::kQueryEntities},
    {"POST", ResourceKind::kEntities, OperationKind::kInsertEntity},
    {"GET", ResourceKind::kEntity, OperationKind::kGetEntity},
    {"PUT", ResourceKind::kEntity, OperationKind::kReplaceEntity},
    {"MERGE", ResourceKind::kEntity, OperationKind::kMergeEntity},
    {"PATCH", ResourceKind::kEntity, OperationKind::kMergeEntity},
    {"DELETE", ResourceKind::kEntity, OperationKind::kDeleteEntity},
    {"POST", ResourceKind::kBatch, OperationKind::kTransaction},
};

// Sources: operations, 2.18; recordings of the service for tables in a table.
ErrorCode WithoutRoute(std::string_view method, ResourceKind resource) {
  switch (resource) {
    case ResourceKind::kService:
      return ErrorCode::kNotImplemented;
    case ResourceKind::kMetadata:
      return method == "GET" ? ErrorCode::kNotImplemented
                             : ErrorCode::kMethodNotAllowed;
    case ResourceKind::kTablesInTable:
      return method == "POST" ? ErrorCode::kPropertiesNeedValue
                              : ErrorCode::kNotImplemented;
    default:
      return ErrorCode::kMethodNotAllowed;
  }
}

}  // namespace

Result<OperationKind> FindRoute(std::string_view method,
                                ResourceKind resource) {
  for (const Route& route : kRoutes) {
    if (route.method == method && route.resource == resource) {
      return route.operation;
    }
  }
  return Fail(WithoutRoute(method, resource));
}

Result<SettingsRoute> FindSettings(std::string_view method,
                                   ResourceKind resource,
                                   std::string_view component,
                                   std::string_view resource_type) {
  const bool is_service =
      resource == ResourceKind::kService && resource_type == "service";
  const bool is_table =
      resource == ResourceKind::kEntities && resource_type.empty();
  const bool is_read = method == "GET";
  if (is_table && component == "acl") {
    if (is_read || method == "HEAD") {
      return SettingsRoute{Document::kPolicies, OperationKind::kGetPolicies};
    }
    if (method != "PUT") return Fail(ErrorCode::kMethodNotAllowed);
    return SettingsRoute{Document::kPolicies, OperationKind::kSetPolicies};
  }
  if (is_service && component == "properties") {
    if (!is_read && method != "PUT") return Fail(ErrorCode::kMethodNotAllowed);
    return SettingsRoute{Document::kProperties,
                         is_read ? OperationKind::kGetServiceProperties
                                 : OperationKind::kSetServiceProperties};
  }
  if (is_service && component == "stats") {
    if (!is_read) return Fail(ErrorCode::kMethodNotAllowed);
    return SettingsRoute{Document::kStatistics,
                         OperationKind::kGetServiceProperties};
  }
  return Fail(ErrorCode::kInvalidQueryParameterValue);
}

bool TakesBody(OperationKind kind) {
  return kind == OperationKind::kCreateTable ||
         kind == OperationKind::kInsertEntity ||
         kind == OperationKind::kReplaceEntity ||
         kind == OperationKind::kMergeEntity;
}

// ------------------------------------------------------------- sas permissions

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
