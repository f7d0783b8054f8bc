// How an answer of the engine becomes one of the service.
//
// An answer has three kinds of headers.  The common ones (Server,
// x-ms-request-id, x-ms-version, Date) are left out in parts of a batch, which
// has them once.  Those about the content say what the body is.  Those about
// the execution (Cache-Control, Preference-Applied) come with every success,
// but with a failure only if the service finds it while it executes the
// operation, and not while it reads the request.  Source: operations, 2.4.
//
// The order of headers is no contract.  It is that of recordings of the service
// (payloads, 4.8.2).

#include "protocol/answer.h"

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error_text.h"
#include "base/http_status.h"
#include "base/json_writer.h"

namespace entitable {
namespace {

// ------------------------------------------------------------------- headers

class AnswerWriter {
 public:
  // Without a time, the answer is a part of a batch answer, which already has
  // the common headers.
  AnswerWriter(const RequestContext& context, const DateTime* now)
      : context_(context), is_part_(now == nullptr) {
    if (is_part_) return;
    Add("Server", "Entitable");
    Add("x-ms-request-id", context.request_id);
    Add("x-ms-version", context.version);
    AddIf("x-ms-client-request-id", context.client_request_id);
    Add("Date", HttpDate(*now));
  }

  void Add(std::string_view name, std::string_view value) {
    assert(IsHeaderValue(value));
    response_.headers.push_back({name, std::string(value)});
  }

  void AddIf(std::string_view name, const std::optional<std::string>& value) {
    if (value) Add(name, *value);
  }

  void AddVersion(std::string_view version) {
    if (is_part_) Add("DataServiceVersion", version);
  }

  // JSON, except for a batch, or for an error if the client accepts no JSON.
  void AddContent(std::string body) { AddText(ContentType(), std::move(body)); }

  void AddText(std::string_view type, std::string body) {
    Add("Content-Type", type);
    response_.body = std::move(body);
  }

  // The service does not repeat a Content-ID of 0. Source: payloads, 4.8.2.
  void AddOptions() {
    const std::string& id = context_.content_id;
    if (!id.empty() && id != "0") Add("Content-ID", id);
    Add("X-Content-Type-Options", "nosniff");
  }

  // Headers that only an answer of an executed operation has.
  void AddExecution() {
    Add("Cache-Control", "no-cache");
    if (context_.preference != Preference::kNone) {
      Add("Preference-Applied", context_.preference == Preference::kContent
                                    ? "return-content"
                                    : "return-no-content");
    }
  }

  HttpResponse Finish(int status) {
    response_.status = status;
    // In a 304, the length would be that of the entity.
    if (response_.body.empty() && status != kNotModified && !is_part_) {
      Add("Content-Length", "0");
    }
    return std::move(response_);
  }

 private:
  // Without a level, the client gets XML: then the body is an error or
  // settings.
  std::string ContentType() const {
    if (!context_.level) return "application/xml";
    if (context_.batch != BatchKind::kNone) {
      return std::string("multipart/mixed; boundary=")
          .append(BatchBoundary(context_));
    }
    constexpr std::array<std::string_view, 4> kLevels = {"no", "minimal",
                                                         "full", "minimal"};
    std::string type = "application/json;odata=";
    type.append(kLevels[static_cast<std::size_t>(*context_.level)]);
    return type + "metadata;streaming=true;charset=utf-8";
  }

  const RequestContext& context_;
  bool is_part_;
  HttpResponse response_;
};

// -------------------------------------------------------------------- errors

// Source: payloads, 4.7.1.
std::string JsonError(std::string_view code, std::string_view message) {
  std::string body = R"({"odata.error":{"code":)";
  AppendJsonString(code, body);
  body += R"(,"message":{"lang":"en-US","value":)";
  AppendJsonString(message, body);
  return body + "}}}";
}

// Source: payloads, 4.7.2. Only `&` and `<` have a meaning within a text of
// XML.
std::string XmlError(std::string_view code, std::string_view message) {
  std::string body =
      "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>"
      "<m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/"
      "dataservices/metadata\"><m:code>";
  body.append(code);
  body += "</m:code><m:message xml:lang=\"en-US\">";
  for (const char c : message) {
    if (c == '&') {
      body += "&amp;";
    } else if (c == '<') {
      body += "&lt;";
    } else {
      body += c;
    }
  }
  return body + "</m:message></m:error>";
}

// Whether the service finds this failure only when it executes the request: the
// answer then has the headers of an executed operation.  The same holds for a
// table with an invalid name, if the client sent Prefer.  Source: operations,
// 2.4, the end, and recordings.
bool IsFoundInExecution(const RequestContext& context, const Error& error) {
  const ErrorCode code = error.code;
  const bool is_of_name = code == ErrorCode::kInvalidResourceName ||
                          code == ErrorCode::kOutOfRangeInput;
  if (context.creates_table && is_of_name) {
    return context.preference != Preference::kNone;
  }
  return code == ErrorCode::kEntityAlreadyExists ||
         code == ErrorCode::kTableAlreadyExists ||
         code == ErrorCode::kResourceNotFound ||
         code == ErrorCode::kUpdateConditionNotSatisfied ||
         code == ErrorCode::kPropertiesNeedValue ||
         code == ErrorCode::kPropertyNameTooLong ||
         code == ErrorCode::kPropertyValueTooLarge ||
         code == ErrorCode::kTooManyProperties ||
         code == ErrorCode::kInvalidDuplicateRow ||
         error.message == kTooManyOperationsText;
}

// Each message of the service ends like this.  Source: payloads, 4.7.
std::string WithIdentity(std::string message, const RequestContext& context,
                         DateTime now) {
  message.append("\nRequestId:").append(context.request_id);
  return message.append("\nTime:").append(now.ToLongString());
}

std::string MessageOf(const RequestContext& context, const Error& error,
                      DateTime now) {
  std::string message;
  if (error.operation) {
    AppendUnsigned(*error.operation, message);
    message.push_back(':');
  }
  return WithIdentity(message.append(error.message), context, now);
}

void WriteError(const RequestContext& context, const Error& error, DateTime now,
                AnswerWriter& answer) {
  const std::string message = MessageOf(context, error, now);
  if (!context.level) {
    answer.Add("x-ms-error-code", ErrorName(error.code));
    return answer.AddContent(XmlError(ErrorName(error.code), message));
  }
  answer.AddOptions();
  if (IsFoundInExecution(context, error)) answer.AddExecution();
  answer.AddVersion("3.0;");
  answer.AddContent(JsonError(ErrorName(error.code), message));
}

void WriteSuccess(const RequestContext& context, Response&& response,
                  AnswerWriter& answer) {
  const bool has_body = !response.body.empty();
  const bool is_insert = !response.location.empty();
  if (has_body) {
    answer.AddVersion("3.0;");
    answer.AddContent(std::move(response.body));
  }
  // Settings are XML and have none of these headers.
  if (context.level) {
    answer.AddOptions();
    answer.AddExecution();
  }
  if (!has_body) answer.AddVersion(is_insert ? "3.0;" : "1.0;");
  if (is_insert) {
    answer.Add("Location", response.location);
    if (response.status == kNoContent) {
      answer.Add("DataServiceId", response.location);
    }
  }
  if (!response.etag.empty()) answer.Add("ETag", response.etag);
  answer.AddIf("x-ms-continuation-NextPartitionKey",
               response.next_partition_key);
  answer.AddIf("x-ms-continuation-NextRowKey", response.next_row_key);
  answer.AddIf("x-ms-continuation-NextTableName", response.next_table_name);
}

}  // namespace

HttpResponse MakeAnswer(const RequestContext& context, Response&& response,
                        const DateTime* now) {
  AnswerWriter answer(context, now);
  const int status = response.status;
  WriteSuccess(context, std::move(response), answer);
  return answer.Finish(status);
}

HttpResponse MakeAnswer(const RequestContext& context, const Error& error,
                        DateTime now, bool is_part) {
  AnswerWriter answer(context, is_part ? nullptr : &now);
  WriteError(context, error, now, answer);
  return answer.Finish(HttpStatus(error.code));
}

// As recorded: "application/json" alone, at every metadata level.  Source:
// auth, 5.8.
HttpResponse MakeRefusal(const RequestContext& context, DateTime now) {
  const auto& [status, code, message, challenge] = *context.refusal;
  const std::string text = WithIdentity(message, context, now);
  AnswerWriter answer(context, &now);
  answer.Add("x-ms-error-code", code);
  if (!challenge.empty()) answer.Add("WWW-Authenticate", challenge);
  answer.Add("X-Content-Type-Options", "nosniff");
  if (context.level) {
    answer.AddText("application/json", JsonError(code, text));
  } else {
    answer.AddText("application/xml", XmlError(code, text));
  }
  return answer.Finish(status);
}

std::string HttpDate(DateTime time) {
  constexpr std::int64_t kTicksPerDay = 864'000'000'000;
  constexpr std::string_view kDays = "MonTueWedThuFriSatSun";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  // January 1 of the year 1 was a Monday.
  const auto day = static_cast<std::size_t>(time.ticks / kTicksPerDay % 7);
  const std::string text = time.ToString();  // YYYY-MM-DDThh:mm:ss...
  const auto month =
      static_cast<std::size_t>((text[5] - '0') * 10 + text[6] - '1');
  std::string date(kDays.substr(3 * day, 3));
  date.append(", ").append(text, 8, 2).append(" ");
  date.append(kMonths.substr(3 * month, 3)).append(" ").append(text, 0, 4);
  return date.append(" ").append(text, 11, 8).append(" GMT");
}

std::string BatchBoundary(const RequestContext& context) {
  return "batchresponse_" + context.request_id;
}

}  // namespace entitable
