#include "protocol/call.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "protocol/accept.h"
#include "protocol/grant.h"
#include "protocol/headers.h"
#include "protocol/routes.h"

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

// Also notes it for an answer that may come before all is read.
Result<MetadataLevel> ReadLevel(std::string_view accept, Exchange& exchange) {
  auto level = NegotiateLevel(accept);
  exchange.level = level ? std::optional(*level) : std::nullopt;
  return level;
}

bool IsInsert(OperationKind kind) {
  return kind == OperationKind::kInsertEntity ||
         kind == OperationKind::kCreateTable;
}

}  // namespace

Result<void> Call::Read(const HttpRequest& request,
                        std::string_view account_path, Exchange& exchange) {
  const HeaderList headers(request.headers);
  exchange.request_id = request.request_id;
  auto level = ReadLevel(headers.TextOf("Accept"), exchange);
  ENTITABLE_TRY(CheckHeaders(request.headers));
  exchange.client_request_id = headers.Find("x-ms-client-request-id");
  if (auto version = headers.Find("x-ms-version")) {
    exchange.version = *std::move(version);
  }

  const Target target = SplitTarget(request.target);
  ENTITABLE_TRY(const auto path, PathInAccount(target.path, account_path));
  // Whatever it asks for need not exist.
  if (request.method == "OPTIONS") return AnswerPreflight(headers);
  ENTITABLE_TRY(resource_, ParsePath(path));
  ENTITABLE_TRY(ParseQueryString(target.query, options_));

  if (resource_.kind == ResourceKind::kBatch) {
    // Each of its requests has its own.
    exchange.level = level_;
  } else {
    if (options_.format && !options_.format->empty()) {
      level = ReadLevel(*options_.format, exchange);
    }
    ENTITABLE_TRY(level_, std::move(level));
  }

  ENTITABLE_TRY(const std::string method,
                EffectiveMethod(request.method, headers));
  // Access policies, settings and statistics are not served yet; and policies
  // never to whoever has a signature alone.
  if (options_.component || options_.resource_type) {
    const bool is_policy = resource_.kind == ResourceKind::kEntities;
    return Fail(request.grant && is_policy ? ErrorCode::kAuthorizationFailure
                                           : ErrorCode::kNotImplemented);
  }
  ENTITABLE_TRY(kind_, FindRoute(method, resource_.kind));
  if (request.grant) {
    const bool has_condition = headers.Find("If-Match").has_value();
    ENTITABLE_TRY(
        CheckGrant(*request.grant, kind_, resource_.table, has_condition));
    scope_ = request.grant->scope;
  }
  if (TakesBody(kind_) && !request.body.empty()) {
    ENTITABLE_TRY(CheckContentType(headers));
  }
  if (IsInsert(kind_)) {
    exchange.preference = ReadPreference(headers);
    echo_ = exchange.preference != Preference::kNoContent;
  } else {
    if_match_ = headers.Find("If-Match");
    if_none_match_ = headers.Find("If-None-Match");
  }
  body_ = request.body;
  body_capacity_ = request.body_capacity;
  return {};
}

Operation Call::operation() const {
  Operation operation;
  operation.kind = kind_;
  operation.level = level_;
  operation.echo = echo_;
  operation.locate = true;
  operation.table = resource_.table;
  operation.partition_key = resource_.partition_key;
  operation.row_key = resource_.row_key;
  operation.if_match = if_match_;
  operation.if_none_match = if_none_match_;
  operation.filter = options_.filter;
  operation.select = options_.select;
  operation.top = options_.top;
  operation.next_partition_key = options_.next_partition_key;
  operation.next_row_key = options_.next_row_key;
  operation.next_table_name = options_.next_table_name;
  operation.scope = scope_;
  operation.body = body_;
  operation.body_capacity = body_capacity_;
  return operation;
}

}  // namespace entitable
