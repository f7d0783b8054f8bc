#include "protocol/batch_answer.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/http_status.h"
#include "base/json_writer.h"

namespace entitable {
namespace {

// For example "404 Not Found".  Empty for a status that no part has.
//
// Any other status makes the whole answer an error: IsOfTheWhole().
std::string_view StatusLine(int status) {
  constexpr std::string_view kLines =
      "200 OK;201 Created;204 No Content;304 Not Modified;400 Bad Request;"
      "404 Not Found;405 Method Not Allowed;409 Conflict;"
      "412 Precondition Failed;501 Not Implemented;";
  std::string number;
  AppendDecimal(status, number);
  const std::size_t start = kLines.find(number);
  if (start == std::string_view::npos) return {};
  return kLines.substr(start, kLines.find(';', start) - start);
}

void AppendDelimiter(std::string_view boundary, std::string_view end,
                     std::string& text) {
  text.append("--").append(boundary).append(end);
}

void AppendPart(const HttpResponse& part, std::string& text) {
  text +=
      "Content-Type: application/http\r\n"
      "Content-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 ";
  text.append(StatusLine(part.status)).append("\r\n");
  for (const auto& [name, value] : part.headers) {
    text.append(name).append(": ").append(value).append("\r\n");
  }
  text.append("\r\n").append(part.body).append("\r\n");
}

// Codes that the service sends without an index if the batch has only one
// operation.  Source: payloads, 4.8.4.
bool NeedsNoIndex(ErrorCode code) {
  return code == ErrorCode::kEntityAlreadyExists ||
         code == ErrorCode::kUpdateConditionNotSatisfied ||
         code == ErrorCode::kResourceNotFound ||
         code == ErrorCode::kPropertyValueTooLarge;
}

// Errors that no single operation of the batch caused, or that must not be
// reported for one operation.  Clients repeat a batch if the answer itself is
// ServerBusy, but not if a part is.
bool IsOfTheWhole(ErrorCode code) {
  return (code >= ErrorCode::kAccountClosed &&
          code != ErrorCode::kSchemaViolation) ||
         StatusLine(HttpStatus(code)).empty();
}

// The message begins with the index of the operation that has failed.  The part
// has the form that this operation asked for, not that of the batch.
HttpResponse MakeFailedPart(const RequestContext& context, Error error,
                            DateTime now) {
  const std::uint32_t index = error.operation.value_or(0);
  error.operation = index;
  if (context.batch == BatchKind::kChangeSet && context.part_count == 1 &&
      NeedsNoIndex(error.code)) {
    error.operation.reset();
  }
  return MakeAnswer(context.parts[index], error, now, true);
}

}  // namespace

HttpResponse MakeBatchAnswer(RequestContext& context,
                             Result<Response>&& outcome, DateTime now) {
  if (!outcome && IsOfTheWhole(outcome.error().code)) {
    context.batch = BatchKind::kNone;
    Error error = std::move(outcome).error();
    error.operation.reset();
    return MakeAnswer(context, error, now);
  }
  const bool is_change_set = context.batch == BatchKind::kChangeSet;
  const std::string outer = BatchBoundary(context);
  const std::string inner = "changesetresponse_" + context.request_id;
  std::string text;
  AppendDelimiter(outer, "\r\n", text);
  if (is_change_set) {
    text.append("Content-Type: multipart/mixed; boundary=").append(inner);
    text.append("\r\n\r\n");
  }
  const std::size_t count =
      outcome && is_change_set ? outcome->parts.size() : 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_change_set) AppendDelimiter(inner, "\r\n", text);
    AppendPart(!outcome ? MakeFailedPart(context, outcome.error(), now)
                        : MakeAnswer(context.parts[i],
                                     std::move(is_change_set ? outcome->parts[i]
                                                             : *outcome),
                                     nullptr),
               text);
  }
  if (is_change_set) AppendDelimiter(inner, "--\r\n", text);
  AppendDelimiter(outer, "--\r\n", text);
  return MakeAnswer(
      context, Response{.status = kAccepted, .body = std::move(text)}, &now);
}

}  // namespace entitable
