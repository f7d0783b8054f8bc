// parsed_request.h - reads an HTTP request: the operation that it asks for.
//
// Source: operations of the spec, 2.1 to 2.3.

#ifndef ENTITABLE_PROTOCOL_PARSED_REQUEST_H_
#define ENTITABLE_PROTOCOL_PARSED_REQUEST_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/operation_fields.h"
#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/answer.h"
#include "protocol/path.h"
#include "protocol/query_string.h"

namespace entitable {

// An operation, with all texts that it refers to except the body.
class ParsedRequest {
 public:
  ParsedRequest() = default;
  ParsedRequest(const ParsedRequest&) = delete;
  ParsedRequest& operator=(const ParsedRequest&) = delete;

  // Call it once.  `account_path` is the path of the account's address.  Also
  // fills `context`, even if it fails: the format of the answer.
  Result<void> Read(const HttpRequest& request, std::string_view account_path,
                    RequestContext& context);

  // If true, there are no fields(): a BatchRequest must read the body.
  bool is_batch() const { return kind_ == OperationKind::kTransaction; }

  // Valid as long as this object exists.
  OperationFields fields() const;

 private:
  Result<void> CheckRights(const HttpRequest& request, bool has_condition,
                           const RequestContext& context) const;
  Result<void> ReadSettings(const HttpRequest& request, std::string_view method,
                            RequestContext& context);

  OperationKind kind_{};
  MetadataLevel level_ = MetadataLevel::kMinimal;
  bool echo_ = true;
  Resource resource_;
  QueryOptions options_;
  std::optional<std::string> if_match_;
  std::optional<std::string> if_none_match_;
  std::optional<KeyScope> scope_;
  std::string settings_;
  JsonText body_;
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_PARSED_REQUEST_H_
