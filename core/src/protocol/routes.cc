#include "protocol/routes.h"

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

}  // namespace entitable
