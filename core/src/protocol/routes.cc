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

// Source: operations, 2.18.
bool IsNotImplemented(std::string_view method, ResourceKind resource) {
  return resource == ResourceKind::kService ||
         (resource == ResourceKind::kMetadata && method == "GET");
}

}  // namespace

Result<OperationKind> FindRoute(std::string_view method,
                                ResourceKind resource) {
  for (const Route& route : kRoutes) {
    if (route.method == method && route.resource == resource) {
      return route.operation;
    }
  }
  return Fail(IsNotImplemented(method, resource)
                  ? ErrorCode::kNotImplemented
                  : ErrorCode::kMethodNotAllowed);
}

bool TakesBody(OperationKind kind) {
  return kind == OperationKind::kCreateTable ||
         kind == OperationKind::kInsertEntity ||
         kind == OperationKind::kReplaceEntity ||
         kind == OperationKind::kMergeEntity;
}

}  // namespace entitable
