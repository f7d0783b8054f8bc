#include "protocol/settings_answer.h"

#include <string>
#include <string_view>
#include <utility>

#include "protocol/cors.h"
#include "protocol/settings_xml.h"

namespace entitable {
namespace {

// There is only one location, so replication is always up to date.
std::string Statistics(DateTime now) {
  return BeginXml() +
         "<StorageServiceStats><GeoReplication><Status>live</Status>"
         "<LastSyncTime>" +
         HttpDate(now) +
         "</LastSyncTime></GeoReplication></StorageServiceStats>";
}

HttpResponse AnswerPreflight(const RequestContext& context,
                             std::string_view rules, DateTime now) {
  auto headers = AnswerPreflight(context.cors, rules);
  if (!headers) return MakeAnswer(context, headers.error(), now);
  HttpResponse answer = MakeAnswer(context, Response{}, &now);
  for (auto& header : *headers) answer.headers.push_back(std::move(header));
  return answer;
}

}  // namespace

HttpResponse MakeSettingsAnswer(const RequestContext& context,
                                const Response& response, DateTime now) {
  const std::string& rules =
      context.cors_rules ? *context.cors_rules : response.body;
  if (context.document == Document::kCorsHeaders) {
    return {.headers = CorsHeaders(context.cors, rules)};
  }
  if (context.document == Document::kPreflight) {
    return AnswerPreflight(context, rules, now);
  }
  Response answer{.status = response.status};
  constexpr int kRead = 200;
  if (response.status == kRead) {
    answer.body = context.document == Document::kStatistics
                      ? Statistics(now)
                      : SettingsToXml(response.body,
                                      context.document == Document::kPolicies
                                          ? kPoliciesElement
                                          : kPropertiesElement);
  }
  return MakeAnswer(context, std::move(answer), &now);
}

}  // namespace entitable
