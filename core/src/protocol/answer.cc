#include "protocol/answer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/json_writer.h"

namespace entitable {
namespace {

constexpr int kNoContent = 204;
constexpr int kNotModified = 304;

// ---------------------------------------------------------------------- time

// "Tue, 02 Jan 2024 03:04:05 GMT", as in RFC 1123.
std::string HttpDate(DateTime time) {
  constexpr std::int64_t kTicksPerDay = 864'000'000'000;
  constexpr std::string_view kDays = "MonTueWedThuFriSatSun";
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  // The first of January of the year 1 was a Monday.
  const auto day = static_cast<std::size_t>(time.ticks / kTicksPerDay % 7);
  const std::string text = time.ToString();  // YYYY-MM-DDThh:mm:ss...
  const auto month =
      static_cast<std::size_t>((text[5] - '0') * 10 + text[6] - '1');
  std::string date(kDays.substr(3 * day, 3));
  date.append(", ").append(text, 8, 2).append(" ");
  date.append(kMonths.substr(3 * month, 3)).append(" ").append(text, 0, 4);
  return date.append(" ").append(text, 11, 8).append(" GMT");
}

// With all seven digits of the fraction.
std::string ErrorTime(DateTime time) {
  constexpr std::size_t kFractionStart = 20;
  std::string text = time.ToString();
  text.pop_back();
  if (text.size() < kFractionStart) text.push_back('.');
  text.resize(kFractionStart + 7, '0');
  return text + 'Z';
}

// ------------------------------------------------------------------- headers

class AnswerWriter {
 public:
  explicit AnswerWriter(const Exchange& exchange, DateTime now)
      : exchange_(exchange) {
    Add("Server", "Entitable");
    Add("x-ms-request-id", exchange.request_id);
    Add("x-ms-version", exchange.version);
    if (exchange.client_request_id) {
      Add("x-ms-client-request-id", *exchange.client_request_id);
    }
    Add("Date", HttpDate(now));
  }

  void Add(std::string_view name, std::string value) {
    response_.headers.push_back({name, std::move(value)});
  }

  void AddIf(std::string_view name, const std::optional<std::string>& value) {
    if (value) Add(name, *value);
  }

  void AddPreference() {
    switch (exchange_.preference) {
      case Preference::kNone:
        return;
      case Preference::kContent:
        return Add("Preference-Applied", "return-content");
      case Preference::kNoContent:
        return Add("Preference-Applied", "return-no-content");
    }
  }

  void AddJson(std::string body) {
    constexpr std::array<std::string_view, 4> kLevels = {"no", "minimal",
                                                         "full", "minimal"};
    const auto level = exchange_.level.value_or(MetadataLevel::kMinimal);
    Add("X-Content-Type-Options", "nosniff");
    if (body.empty()) return;
    std::string type = "application/json;odata=";
    type.append(kLevels[static_cast<std::size_t>(level)]);
    Add("Content-Type", type + "metadata;streaming=true;charset=utf-8");
    response_.body = std::move(body);
  }

  void AddXml(std::string body) {
    Add("Content-Type", "application/xml");
    response_.body = std::move(body);
  }

  HttpResponse Finish(int status) && {
    response_.status = status;
    // A 304 would say with it how long the entity is.
    if (response_.body.empty() && status != kNotModified) {
      Add("Content-Length", "0");
    }
    return std::move(response_);
  }

 private:
  const Exchange& exchange_;
  HttpResponse response_;
};

// -------------------------------------------------------------------- errors

std::string JsonError(const Error& error, std::string_view message) {
  std::string body = R"({"odata.error":{"code":)";
  AppendJsonString(ErrorName(error.code), body);
  body += R"(,"message":{"lang":"en-US","value":)";
  AppendJsonString(message, body);
  return body + "}}}";
}

std::string XmlError(const Error& error, std::string_view message) {
  std::string body =
      "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"yes\"?>"
      "<m:error xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/"
      "dataservices/metadata\"><m:code>";
  body.append(ErrorName(error.code));
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

// Whether the service finds the failure only when it carries the request out:
// then its answer has the headers of one.  Source: operations, 2.4, the end.
bool IsFoundInExecution(ErrorCode code) {
  return code == ErrorCode::kEntityAlreadyExists ||
         code == ErrorCode::kTableAlreadyExists ||
         code == ErrorCode::kResourceNotFound ||
         code == ErrorCode::kUpdateConditionNotSatisfied ||
         code == ErrorCode::kPropertiesNeedValue;
}

HttpResponse AnswerError(const Exchange& exchange, const Error& error,
                         AnswerWriter answer, DateTime now) {
  std::string message = error.message;
  message.append("\nRequestId:").append(exchange.request_id);
  message.append("\nTime:").append(ErrorTime(now));
  if (!exchange.level) {
    answer.Add("x-ms-error-code", std::string(ErrorName(error.code)));
    answer.AddXml(XmlError(error, message));
  } else {
    if (IsFoundInExecution(error.code)) {
      answer.Add("Cache-Control", "no-cache");
      answer.AddPreference();
    }
    answer.AddJson(JsonError(error, message));
  }
  return std::move(answer).Finish(HttpStatus(error.code));
}

}  // namespace

HttpResponse MakeAnswer(const Exchange& exchange,
                        const Result<Response>& outcome, DateTime now) {
  AnswerWriter answer(exchange, now);
  if (!outcome) {
    return AnswerError(exchange, outcome.error(), std::move(answer), now);
  }
  answer.Add("Cache-Control", "no-cache");
  answer.AddPreference();
  if (!outcome->etag.empty()) answer.Add("ETag", outcome->etag);
  if (!outcome->location.empty()) {
    answer.Add("Location", outcome->location);
    if (outcome->status == kNoContent) {
      answer.Add("DataServiceId", outcome->location);
    }
  }
  answer.AddIf("x-ms-continuation-NextPartitionKey",
               outcome->next_partition_key);
  answer.AddIf("x-ms-continuation-NextRowKey", outcome->next_row_key);
  answer.AddIf("x-ms-continuation-NextTableName", outcome->next_table_name);
  answer.AddJson(outcome->body);
  return std::move(answer).Finish(outcome->status);
}

}  // namespace entitable
