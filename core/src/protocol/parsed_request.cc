#include "protocol/parsed_request.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error_text.h"
#include "base/json_reader.h"
#include "model/limits.h"
#include "model/settings.h"
#include "protocol/accept.h"
#include "protocol/headers.h"
#include "protocol/routes.h"
#include "protocol/sas_permissions.h"
#include "protocol/settings_xml.h"

namespace entitable {
namespace {

struct Target {
  std::string_view path;
  std::string_view query;
};

Target SplitTarget(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  return {PathOfUrl(target.substr(0, mark)),
          target.substr(std::min(mark + 1, target.size()))};
}

// For accounts that are told apart by the host.  Some clients send the host in
// the address, others in a header.
bool IsSecondary(const HttpRequest& request, const HeaderList& headers) {
  const std::string_view host = HostOfUrl(request.target);
  return host.empty() ? IsSecondaryHost(headers.TextOf("Host"))
                      : IsSecondaryHost(host);
}

// The account's settings hold the CORS rules.
Result<OperationKind> ReadPreflight(const HeaderList& headers,
                                    RequestContext& context) {
  const auto origin = headers.Find("Origin");
  const auto method = headers.Find("Access-Control-Request-Method");
  if (!origin || !method) {
    return Fail(ErrorCode::kInvalidHeaderValue, kNoCorsHeaderText);
  }
  context.document = Document::kPreflight;
  context.cors = {*origin, *method,
                  headers.TextOf("Access-Control-Request-Headers")};
  return OperationKind::kGetServiceProperties;
}

// Reads the rules as if they had been stored.
Result<void> TakeRules(const HttpRequest& request, RequestContext& context) {
  if (!request.cors_rules) return {};
  JsonReader json;
  const std::string_view lines = *request.cors_rules;
  ENTITABLE_TRY(const PropertyList set,
                ReadSettings(json, {lines, lines.size()},
                             /*are_policies=*/false));
  context.cors_rules = ServicePropertiesOf(set, /*has_defaults=*/false);
  return {};
}

// Also keeps the level in the context, for an answer before the request is
// completely read.
Result<MetadataLevel> ReadLevel(std::string_view accept,
                                RequestContext& context) {
  auto level = NegotiateLevel(accept);
  context.level = level ? std::optional(*level) : std::nullopt;
  return level;
}

bool IsRead(OperationKind kind) {
  return kind == OperationKind::kQueryTables ||
         kind == OperationKind::kGetTable ||
         kind == OperationKind::kQueryEntities ||
         kind == OperationKind::kGetEntity ||
         kind == OperationKind::kGetPolicies ||
         kind == OperationKind::kGetServiceProperties;
}

bool IsInsert(OperationKind kind) {
  return kind == OperationKind::kInsertEntity ||
         kind == OperationKind::kCreateTable;
}

}  // namespace

Result<void> ParsedRequest::Read(const HttpRequest& request,
                                 std::string_view account_path,
                                 RequestContext& context) {
  const HeaderList headers(request.headers);
  context.request_id = request.request_id;
  if (request.answered) {
    kind_ = OperationKind::kGetServiceProperties;
    context.document = Document::kCorsHeaders;
    context.cors = {headers.TextOf("Origin"), std::string(request.method),
                    std::string(*request.answered)};
    return TakeRules(request, context);
  }
  auto level = ReadLevel(headers.TextOf("Accept"), context);
  auto checked = CheckHeaders(request.headers);
  if (checked) {
    context.client_request_id = headers.Find("x-ms-client-request-id");
    context.version =
        headers.Find("x-ms-version").value_or(std::string(kBaselineVersion));
  }
  if (request.refusal) {
    const auto& [status, code, message, challenge] = *request.refusal;
    context.refusal = std::make_unique<KeptRefusal>(status, std::string(code),
                                                    std::string(message),
                                                    std::string(challenge));
    return Fail(ErrorCode::kAuthorizationFailure);
  }
  ENTITABLE_TRY(std::move(checked));

  const Target target = SplitTarget(request.target);
  ENTITABLE_TRY(const AccountPath place,
                PathInAccount(target.path, account_path));
  context.is_secondary = place.is_secondary || (account_path.empty() &&
                                                IsSecondary(request, headers));
  // The target of a preflight need not exist.
  if (request.method == "OPTIONS") {
    ENTITABLE_TRY(kind_, ReadPreflight(headers, context));
    return TakeRules(request, context);
  }
  ENTITABLE_TRY(resource_, ParsePath(place.path));
  ENTITABLE_TRY(ParseQueryString(target.query, options_));
  const auto& signed_version = options_.signed_version;
  if (!headers.Find("x-ms-version") && signed_version &&
      IsVersion(*signed_version)) {
    context.version = *signed_version;
  }
  ENTITABLE_TRY(const std::string method,
                EffectiveMethod(request.method, headers));
  if (options_.component || options_.resource_type) {
    return ReadSettings(request, method, context);
  }

  if (resource_.kind == ResourceKind::kBatch) {
    // Each request of the batch has its own level.
    context.level = level_;
  } else {
    if (options_.format && !options_.format->empty()) {
      level = ReadLevel(*options_.format, context);
    }
    ENTITABLE_TRY(level_, std::move(level));
  }

  ENTITABLE_TRY(kind_, FindRoute(method, resource_.kind));
  const bool has_condition = headers.Find("If-Match").has_value();
  ENTITABLE_TRY(CheckRights(request, has_condition, context));
  if (request.sas_permissions) scope_ = request.sas_permissions->scope;
  if (TakesBody(kind_) && !request.body.empty()) {
    ENTITABLE_TRY(CheckContentType(headers));
  }
  if (IsInsert(kind_)) {
    context.preference = ReadPreference(headers);
    context.creates_table = kind_ == OperationKind::kCreateTable;
    echo_ = context.preference != Preference::kNoContent;
  } else {
    if_match_ = headers.Find("If-Match");
    if_none_match_ = headers.Find("If-None-Match");
  }
  body_ = {request.body, request.body_capacity};
  return {};
}

// The secondary endpoint is read-only.  The requests of a batch are checked one
// by one.
Result<void> ParsedRequest::CheckRights(const HttpRequest& request,
                                        bool has_condition,
                                        const RequestContext& context) const {
  if (request.sas_permissions) {
    ENTITABLE_TRY(CheckSasPermissions(*request.sas_permissions, kind_,
                                      resource_.table, has_condition));
  }
  if (context.is_secondary && !IsRead(kind_) && !is_batch()) {
    return Fail(ErrorCode::kInsufficientAccountPermissions);
  }
  return {};
}

Result<void> ParsedRequest::ReadSettings(const HttpRequest& request,
                                         std::string_view method,
                                         RequestContext& context) {
  context.level = MetadataLevel::kMinimal;
  auto route =
      FindSettings(method, resource_.kind, options_.component.value_or(""),
                   options_.resource_type.value_or(""));
  if (route) {
    kind_ = route->operation;
    context.document = route->document;
    ENTITABLE_TRY(CheckRights(request, /*has_condition=*/false, context));
  }
  // A request that is not authorized gets its error as JSON.  Source: auth of
  // the spec, 5.8.
  context.level.reset();
  if (!route) return std::move(route).error();
  if (route->document == Document::kStatistics && !context.is_secondary) {
    return Fail(ErrorCode::kInvalidQueryParameterValue);
  }
  const bool is_policies = route->document == Document::kPolicies;
  const bool clears = is_policies && request.body.empty();
  if (IsRead(kind_) || clears) return {};
  if (request.body.size() > kMaxBodyBytes) {
    return Fail(ErrorCode::kRequestBodyTooLarge);
  }
  ENTITABLE_TRY(settings_, SettingsFromXml(request.body,
                                           is_policies ? kPoliciesElement
                                                       : kPropertiesElement));
  body_.text = settings_;
  return {};
}

OperationFields ParsedRequest::fields() const {
  return {
      .kind = kind_,
      .form = {.level = level_},
      .echo = echo_,
      .locate = true,
      .address = {resource_.table, resource_.partition_key, resource_.row_key},
      .if_match = if_match_,
      .if_none_match = if_none_match_,
      .options = {options_.filter, options_.select, options_.top},
      .next_partition_key = options_.next_partition_key,
      .next_row_key = options_.next_row_key,
      .next_table_name = options_.next_table_name,
      .body = body_,
      .scope = scope_};
}

}  // namespace entitable
