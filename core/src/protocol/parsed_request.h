// parsed_request.h - reads an HTTP request: the operation that it asks for.
//
// Source: operations of the spec, 2.1 to 2.3.
//
// An HTTP request is read into an operation of the engine, which is then
// checked and executed like one that came in a frame.  What the operation does
// not need, but the answer does, goes into the RequestContext (answer.h).

#ifndef ENTITABLE_PROTOCOL_PARSED_REQUEST_H_
#define ENTITABLE_PROTOCOL_PARSED_REQUEST_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/address.h"
#include "protocol/answer.h"
#include "request/operation_fields.h"

namespace entitable {

// An operation, with all texts that it refers to except the target, the body
// and the scope, which are views of the HTTP request.
struct ParsedRequest {
  std::string_view target = {};
  OperationKind kind{};
  MetadataLevel level = MetadataLevel::kMinimal;
  bool echo = true;
  Resource resource = {};
  QueryOptions options = {};
  std::optional<std::string> if_match = {};
  std::optional<std::string> if_none_match = {};
  std::optional<KeyScope> scope = {};
  std::string settings = {};  // As lines of records; then there is no body.
  JsonText body = {};

  // If true, ParseBatch() must read the body.
  bool is_batch() const { return kind == OperationKind::kTransaction; }

  // Valid as long as this object exists and is not moved.
  OperationFields fields() const;
};

// The path that the addresses of a request begin with: empty if the host names
// the account, or else `account_path`, the path of the account's address.
std::string_view AccountPathOf(const HttpRequest& request,
                               std::string_view account_path);

// `account_path` is what AccountPathOf() returns.  Also fills `context`,
// even if it fails: it decides the form of the answer.  Fails with the error
// that the service gives for a wrong header, address, query option or body, or
// with AuthorizationFailure if the host refused the request.  The result is
// allocated because fields() gives views of it.
Result<std::unique_ptr<ParsedRequest>> ParseRequest(
    const HttpRequest& request, std::string_view account_path,
    RequestContext& context);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_PARSED_REQUEST_H_
