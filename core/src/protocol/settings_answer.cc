#include "protocol/settings_answer.h"

#include <string>
#include <string_view>
#include <utility>

#include "protocol/cors.h"
#include "protocol/settings_xml.h"

namespace entitable {
namespace {

// There is but one place, so nothing has to be copied to another.
std::string Statistics(DateTime now) {
  return BeginXml() +
         "<StorageServiceStats><GeoReplication><Status>live</Status>"
         "<LastSyncTime>" +
         HttpDate(now) +
         "</LastSyncTime></GeoReplication></StorageServiceStats>";
}

HttpResponse AnswerPreflight(const Exchange& exchange, std::string_view rules,
                             DateTime now) {
  auto headers = AnswerPreflight(exchange.cors, rules);
  if (!headers) return MakeAnswer(exchange, headers.error(), now);
  HttpResponse answer = MakeAnswer(exchange, Response{}, &now);
  for (auto& header : *headers) answer.headers.push_back(std::move(header));
  return answer;
}

}  // namespace

HttpResponse MakeSettingsAnswer(const Exchange& exchange,
                                const Response& response, DateTime now) {
  const std::string& rules =
      exchange.cors_rules ? *exchange.cors_rules : response.body;
  if (exchange.document == Document::kCorsHeaders) {
    return {.headers = CorsHeaders(exchange.cors, rules)};
  }
  if (exchange.document == Document::kPreflight) {
    return AnswerPreflight(exchange, rules, now);
  }
  Response answer{.status = response.status};
  constexpr int kRead = 200;
  if (response.status == kRead) {
    answer.body = exchange.document == Document::kStatistics
                      ? Statistics(now)
                      : SettingsToXml(response.body,
                                      exchange.document == Document::kPolicies
                                          ? kPoliciesElement
                                          : kPropertiesElement);
  }
  return MakeAnswer(exchange, answer, &now);
}

}  // namespace entitable
