#include "protocol/routes.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "base/text_buffer.h"
#include "model/entity_key.h"
#include "model/entity_reader.h"
#include "model/names.h"
#include "protocol/batch_request.h"
#include "protocol/parsed_request.h"
#include "read/read_request.h"
#include "request/operation_fields.h"
#include "wire/json_member.h"

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

// Source: auth of the spec, the tables of 5.6 and 5.7. A letter of the resource
// types is s for the service, c for a table, o for an entity.  Table SAS have
// no resource types, and allow nothing but entities of their table.
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

// The order decides which error is sent.  Source: auth, 5.8, "Order of checks".
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

// --------------------------------------------------------------- request route

namespace {

// The partition that has every entity in the ranges; nothing if there may be
// several.  Without ranges, no entity matches, so any partition will do.
//
// The ranges are in order, so the first and the last bound enclose all of them.
std::optional<std::string_view> OnlyPartition(
    const std::vector<KeyRange>& ranges) {
  if (ranges.empty()) return "";
  const auto& lower = ranges.front().lower;
  const auto& upper = ranges.back().upper;
  if (!lower || !upper) return std::nullopt;
  const std::string& partition = lower->key.partition_key;
  if (*upper > EndOfPartition(partition)) return std::nullopt;
  return partition;
}

// Writes the members of a route.
class RouteWriter {
 public:
  RouteWriter(Profile profile, TextBuffer& out)
      : profile_(profile), out_(out) {}

  Result<void> Write(const HttpRequest& request, std::string_view base_path) {
    const std::string_view account_path = AccountPathOf(request, base_path);
    RequestContext context;
    ENTITABLE_TRY(const auto parsed,
                  ParseRequest(request, account_path, context));
    if (!parsed->is_batch()) return Write(*parsed, {});
    ENTITABLE_TRY(const ParsedBatch requests,
                  ParseBatch(request, account_path, context));
    if (requests.empty()) return {};
    // The store refuses a transaction of several partitions.
    const ParsedRequest& first = *requests.front();
    return Write(first, first.target);
  }

 private:
  // `part` is the address of a request in a batch.
  Result<void> Write(const ParsedRequest& request, std::string_view part) {
    const std::string& table = request.resource.table;
    switch (request.kind) {
      case OperationKind::kCreateTable: {
        ENTITABLE_TRY(const std::string name,
                      ReadTableName(json_, request.body));
        AddTable("defines", name);
        break;
      }
      case OperationKind::kDeleteTable:
      case OperationKind::kSetPolicies:
      case OperationKind::kSetServiceProperties:
        AddTable("defines", table);
        break;
      case OperationKind::kInsertEntity: {
        ENTITABLE_TRY(const NewEntity entity,
                      ReadNewEntity(json_, request.body, profile_));
        AddPartition(table, entity.key.partition_key);
        break;
      }
      case OperationKind::kGetEntity:
      case OperationKind::kReplaceEntity:
      case OperationKind::kMergeEntity:
      case OperationKind::kDeleteEntity:
        AddPartition(table, request.resource.partition_key);
        break;
      case OperationKind::kQueryEntities:
        return WriteQuery(request, part);
      default:
        break;
    }
    return {};
  }

  Result<void> WriteQuery(const ParsedRequest& request, std::string_view part) {
    ENTITABLE_TRY(const Operation operation, MakeOperation(request.fields()));
    const auto& read = *std::get_if<ReadOperation>(&operation);
    ENTITABLE_TRY(const QueryEntitiesRequest query,
                  ReadQuery(*std::get_if<QueryEntities>(&read), {}));
    if (const auto partition = OnlyPartition(query.ranges)) {
      AddPartition(query.table, *partition);
      return {};
    }
    AddTable("table", query.table);
    AppendName("top", out_);
    AppendDecimal(static_cast<std::int64_t>(query.feed.top), out_);
    const auto& select = request.options.select;
    if (select) AppendMember("select", *select, out_);
    if (!part.empty()) AppendMember("part", part, out_);
    return {};
  }

  void AddTable(std::string_view name, std::string_view table) {
    AppendMember(name, FoldTableName(table), out_);
  }

  void AddPartition(std::string_view table, std::string_view partition) {
    AddTable("table", table);
    AppendMember("partition", partition, out_);
  }

  Profile profile_;
  TextBuffer& out_;
  JsonReader json_;
};

}  // namespace

std::string RouteOf(const HttpRequest& request, std::string_view account_path,
                    Profile profile) {
  std::string text;
  {
    TextBuffer out(text);
    out += '{';
    // A request that cannot be read has no place: every store refuses it.
    static_cast<void>(RouteWriter(profile, out).Write(request, account_path));
    out += '}';
  }
  return text;
}

std::string RouteOf(BytesView frame, std::string_view account_path,
                    Profile profile) {
  const auto request = DecodeHttpRequest(frame, frame.size());
  return request ? RouteOf(*request, account_path, profile) : "{}";
}

}  // namespace entitable
