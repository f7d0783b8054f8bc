// The order in which a request is checked.  It is that of the service as far as
// it is known, and an answer can tell it apart: the first fault decides the
// error, and what was read before it decides the form.
//
//   1  a question about the headers of an answer (HttpRequest::answered)
//   2  Accept, which decides whether an error is JSON or XML
//   3  the headers that the answer repeats, and whether the host has refused it
//   4  the account's part of the address, and which endpoint it is
//   5  OPTIONS: a preflight, whose resource need not exist
//   6  the path and the query string
//   7  X-HTTP-Method, for clients that cannot send MERGE
//   8  settings, if there is `comp` or `restype`; else $format, the route,
//      what a signature allows, the type of the body, and Prefer
//
// Bodies are not looked at here, except those of settings: the engine reads
// them when it takes the operation, with the same code as for its other
// callers.

#include "protocol/parsed_request.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/error_text.h"
#include "base/json_reader.h"
#include "model/limits.h"
#include "model/settings.h"
#include "protocol/headers.h"
#include "protocol/routes.h"
#include "protocol/settings_xml.h"

namespace entitable {
namespace {

// --------------------------------------------------------------------- headers

// Also keeps the level in the context, for an answer before the request is
// completely read.  Without a level, that answer is XML.
Result<MetadataLevel> ReadLevel(std::string_view accept,
                                RequestContext& context) {
  auto level = NegotiateLevel(accept);
  context.level = level ? std::optional(*level) : std::nullopt;
  return level;
}

// Keeps the headers that the answer repeats.  Fails if a header is wrong, or if
// the request was not authorized.  Of a wrong header nothing is repeated,
// because its value might not be a valid one for an answer.
Result<void> ReadRepeatedHeaders(const HttpRequest& request,
                                 const HeaderList& headers,
                                 RequestContext& context) {
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
  return checked;
}

// Who could not be authenticated gets JSON only on request; who lacks a
// permission, by default.  Source: auth of the spec, 5.8.
bool IsJsonRefusal(std::string_view code, std::string_view accept) {
  return code.starts_with("Authorization") || AsksForJson(accept);
}

// --------------------------------------------------------------------- address

struct Target {
  std::string_view path;  // Below the account's path.
  std::string_view query;
  bool is_secondary;
};

// Some clients send the host in the address, others in a header.
std::string HostOf(const HttpRequest& request, const HeaderList& headers) {
  const std::string_view host = HostOfUrl(request.target);
  return host.empty() ? headers.TextOf("Host") : std::string(host);
}

Result<Target> ReadTarget(const HttpRequest& request, const HeaderList& headers,
                          std::string_view account_path) {
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  ENTITABLE_TRY(const AccountPath place,
                PathInAccount(PathOfUrl(target.substr(0, mark)), account_path));
  const bool is_secondary =
      account_path.empty()
          ? AccountInHost(HostOf(request, headers)).is_secondary
          : place.is_secondary;
  return Target{place.path, target.substr(std::min(mark + 1, target.size())),
                is_secondary};
}

// Source: a recording of the service.
Error KeyCountError(const HttpRequest& request, const HeaderList& headers,
                    std::string_view account_path, std::string_view table) {
  std::string text =
      "The number of keys specified in the URI does not match number of key "
      "properties for the resource '";
  const std::string host = HostOf(request, headers);
  text.append(account_path.empty()
                  ? AccountInHost(host).account
                  : account_path.substr(account_path.rfind('/') + 1));
  text.append(".").append(table).append("'.");
  return Error(ErrorCode::kInvalidInput, std::move(text));
}

// Begins a request: only the address has been read.
Result<std::unique_ptr<ParsedRequest>> ReadAddress(const Target& target) {
  auto parsed = std::make_unique<ParsedRequest>();
  ENTITABLE_TRY(parsed->resource, ParsePath(target.path));
  ENTITABLE_TRY(ParseQueryString(target.query, parsed->options));
  return parsed;
}

// A signed address names a version, for requests without a header.  Source:
// auth of the spec, 5.6.
std::string VersionOf(const HeaderList& headers, const QueryOptions& options,
                      std::string version) {
  const auto& signed_version = options.signed_version;
  const bool is_signed = !headers.Find("x-ms-version") && signed_version &&
                         IsVersion(*signed_version);
  if (is_signed) version = *signed_version;
  return version;
}

// ---------------------------------------------------------------------- rights

bool IsRead(OperationKind kind) {
  return kind == OperationKind::kQueryTables ||
         kind == OperationKind::kGetTable ||
         kind == OperationKind::kQueryEntities ||
         kind == OperationKind::kGetEntity ||
         kind == OperationKind::kGetPolicies ||
         kind == OperationKind::kGetServiceProperties;
}

// The secondary endpoint is read-only.  The requests of a batch are checked one
// by one.
Result<void> CheckRights(const HttpRequest& request,
                         const ParsedRequest& parsed, bool has_condition,
                         bool is_secondary) {
  if (request.sas_permissions) {
    ENTITABLE_TRY(CheckSasPermissions(*request.sas_permissions, parsed.kind,
                                      parsed.resource.table, has_condition));
  }
  if (is_secondary && !IsRead(parsed.kind) && !parsed.is_batch()) {
    return Fail(ErrorCode::kInsufficientAccountPermissions);
  }
  return {};
}

// ------------------------------------------------------------------------ CORS

// The CORS rules that replace those of the account, read as if they had been
// stored.
Result<std::optional<std::string>> ReadRules(const HttpRequest& request) {
  if (!request.cors_rules) return std::optional<std::string>();
  JsonReader json;
  const std::string_view lines = *request.cors_rules;
  ENTITABLE_TRY(
      const PropertyList set,
      ReadSettings(json, {lines, lines.size()}, SettingsOf::kAccount));
  return std::optional(ServicePropertiesOf(set, /*has_defaults=*/false));
}

// The account's settings hold the CORS rules.
//
// So a question about CORS becomes a read of the settings, and its answer is
// made of them (MakeSettingsAnswer()).
Result<std::unique_ptr<ParsedRequest>> AskForRules(const HttpRequest& request,
                                                   Document document,
                                                   CorsQuestion question,
                                                   RequestContext& context) {
  context.document = document;
  context.cors = std::move(question);
  ENTITABLE_TRY(context.cors_rules, ReadRules(request));
  auto parsed = std::make_unique<ParsedRequest>();
  parsed->kind = OperationKind::kGetServiceProperties;
  return parsed;
}

Result<CorsQuestion> ReadPreflight(const HeaderList& headers) {
  const auto origin = headers.Find("Origin");
  const auto method = headers.Find("Access-Control-Request-Method");
  if (!origin || !method) {
    return Fail(ErrorCode::kInvalidHeaderValue, kNoCorsHeaderText);
  }
  return CorsQuestion{*origin, *method,
                      headers.TextOf("Access-Control-Request-Headers")};
}

// -------------------------------------------------------------------- settings

// The new settings as lines of records.  A body without a byte removes all
// policies.
Result<std::string> ReadNewSettings(const HttpRequest& request,
                                    const SettingsRoute& route) {
  const bool are_policies = route.document == Document::kPolicies;
  const bool clears = are_policies && request.body.empty();
  if (IsRead(route.operation) || clears) return std::string();
  if (request.body.size() > kMaxBodyBytes) {
    return Fail(ErrorCode::kRequestBodyTooLarge);
  }
  return SettingsFromXml(request.body,
                         are_policies ? kPoliciesElement : kPropertiesElement);
}

Result<void> ReadSettingsRequest(const HttpRequest& request,
                                 std::string_view method,
                                 RequestContext& context,
                                 ParsedRequest& parsed) {
  context.level.reset();
  const QueryOptions& options = parsed.options;
  ENTITABLE_TRY(
      const SettingsRoute route,
      FindSettings(method, parsed.resource.kind, options.component.value_or(""),
                   options.resource_type.value_or("")));
  parsed.kind = route.operation;
  context.document = route.document;
  auto rights = CheckRights(request, parsed, /*has_condition=*/false,
                            context.is_secondary);
  if (!rights) {
    // This error is JSON.  Source: auth of the spec, 5.8.
    context.level = MetadataLevel::kMinimal;
    return rights;
  }
  if (route.document == Document::kStatistics && !context.is_secondary) {
    return Fail(ErrorCode::kInvalidQueryParameterValue);
  }
  ENTITABLE_TRY(parsed.settings, ReadNewSettings(request, route));
  return {};
}

// --------------------------------------------------------- tables and entities

bool IsInsert(OperationKind kind) {
  return kind == OperationKind::kInsertEntity ||
         kind == OperationKind::kCreateTable;
}

// `accepted` is what the header Accept asks for; $format replaces it.  Each
// request of a batch has its own level.
Result<MetadataLevel> ChooseLevel(const ParsedRequest& parsed,
                                  Result<MetadataLevel> accepted,
                                  RequestContext& context) {
  if (parsed.resource.kind == ResourceKind::kBatch) {
    context.level = MetadataLevel::kMinimal;
    return MetadataLevel::kMinimal;
  }
  const auto& format = parsed.options.format;
  return format && !format->empty() ? ReadLevel(*format, context)
                                    : std::move(accepted);
}

Result<void> ReadTableRequest(const HttpRequest& request,
                              const HeaderList& headers,
                              std::string_view method, RequestContext& context,
                              ParsedRequest& parsed) {
  ENTITABLE_TRY(parsed.kind, FindRoute(method, parsed.resource.kind));
  ENTITABLE_TRY(CheckRights(request, parsed,
                            headers.Find("If-Match").has_value(),
                            context.is_secondary));
  if (request.sas_permissions) parsed.scope = request.sas_permissions->scope;
  if (TakesBody(parsed.kind) && !request.body.empty()) {
    ENTITABLE_TRY(CheckContentType(headers));
  }
  if (IsInsert(parsed.kind)) {
    context.preference = ReadPreference(headers);
    context.creates_table = parsed.kind == OperationKind::kCreateTable;
    parsed.echo = context.preference != Preference::kNoContent;
  } else {
    parsed.if_match = headers.Find("If-Match");
    parsed.if_none_match = headers.Find("If-None-Match");
  }
  parsed.body = {request.body, request.body_capacity};
  return {};
}

}  // namespace

Result<std::unique_ptr<ParsedRequest>> ParseRequest(
    const HttpRequest& request, std::string_view account_path,
    RequestContext& context) {
  const HeaderList headers(request.headers);
  context.request_id = request.request_id;
  if (request.answered) {
    return AskForRules(request, Document::kCorsHeaders,
                       {headers.TextOf("Origin"), std::string(request.method),
                        std::string(*request.answered)},
                       context);
  }
  const std::string accept = headers.TextOf("Accept");
  auto accepted = ReadLevel(accept, context);
  if (request.refusal && !IsJsonRefusal(request.refusal->code, accept)) {
    context.level.reset();
  }
  ENTITABLE_TRY(ReadRepeatedHeaders(request, headers, context));
  ENTITABLE_TRY(const Target target,
                ReadTarget(request, headers, account_path));
  context.is_secondary = target.is_secondary;
  // The target of a preflight need not exist.
  if (request.method == "OPTIONS") {
    ENTITABLE_TRY(CorsQuestion question, ReadPreflight(headers));
    return AskForRules(request, Document::kPreflight, std::move(question),
                       context);
  }
  ENTITABLE_TRY(auto parsed, ReadAddress(target));
  parsed->target = request.target;
  context.version =
      VersionOf(headers, parsed->options, std::move(context.version));
  ENTITABLE_TRY(const std::string method,
                EffectiveMethod(request.method, headers));
  if (parsed->options.component || parsed->options.resource_type) {
    ENTITABLE_TRY(ReadSettingsRequest(request, method, context, *parsed));
  } else if (parsed->resource.kind == ResourceKind::kTableInTable) {
    return KeyCountError(request, headers, account_path,
                         parsed->resource.table);
  } else {
    ENTITABLE_TRY(parsed->level,
                  ChooseLevel(*parsed, std::move(accepted), context));
    ENTITABLE_TRY(ReadTableRequest(request, headers, method, context, *parsed));
  }
  return parsed;
}

std::string_view AccountPathOf(const HttpRequest& request,
                               std::string_view account_path) {
  return request.account_in_host ? std::string_view() : account_path;
}

OperationFields ParsedRequest::fields() const {
  return {.kind = kind,
          .level = level,
          .echo = echo,
          .locate = true,
          .scope = scope,
          .table = resource.table,
          .partition_key = resource.partition_key,
          .row_key = resource.row_key,
          .if_match = if_match,
          .if_none_match = if_none_match,
          .filter = options.filter,
          .select = options.select,
          .top = options.top,
          .next_partition_key = options.next_partition_key,
          .next_row_key = options.next_row_key,
          .next_table_name = options.next_table_name,
          .body = settings.empty() ? body : JsonText{settings}};
}

}  // namespace entitable
