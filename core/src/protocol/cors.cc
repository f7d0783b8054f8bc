#include "protocol/cors.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "protocol/headers.h"
#include "protocol/settings_xml.h"

namespace entitable {
namespace {

struct CorsRule {
  bool is_for_all;  // Whether the rule allows all origins.
  std::string allowed_headers;
  std::string exposed_headers;
  std::string max_age;
};

// Removes and returns the next name, without blanks around it.
std::string_view ReadName(std::string_view& list) {
  const std::size_t end = std::min(list.find(','), list.size());
  const std::string_view name = Trimmed(list.substr(0, end));
  list.remove_prefix(std::min(end + 1, list.size()));
  return name;
}

bool Has(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    if (ReadName(list) == name) return true;
  }
  return false;
}

// A pattern that ends in `*` stands for all names with that beginning, in any
// case.
bool Fits(std::string_view pattern, std::string_view name) {
  if (!pattern.ends_with('*')) return EqualsIgnoringAsciiCase(pattern, name);
  pattern.remove_suffix(1);
  return EqualsIgnoringAsciiCase(pattern, name.substr(0, pattern.size()));
}

bool FitsOneOf(std::string_view patterns, std::string_view name) {
  while (!patterns.empty()) {
    if (Fits(ReadName(patterns), name)) return true;
  }
  return false;
}

// The first rule that allows the origin and the method applies.
std::optional<CorsRule> FindRule(const CorsQuestion& question,
                                 std::string_view properties, bool& has_rules) {
  has_rules = false;
  for (SettingsReader record(properties); record.Next();) {
    if (record.kind() != "CorsRule") continue;
    has_rules = true;
    const std::string_view origins = record.TextOf("AllowedOrigins");
    const bool is_for_all = Has(origins, "*");
    if (!is_for_all && !Has(origins, question.origin)) continue;
    if (!Has(record.TextOf("AllowedMethods"), question.method)) continue;
    return CorsRule{is_for_all, std::string(record.TextOf("AllowedHeaders")),
                    std::string(record.TextOf("ExposedHeaders")),
                    std::string(record.TextOf("MaxAgeInSeconds"))};
  }
  return std::nullopt;
}

HttpResponse::Header AllowedOrigin(const CorsRule& rule,
                                   const CorsQuestion& question) {
  return {"Access-Control-Allow-Origin",
          rule.is_for_all ? "*" : question.origin};
}

// Replaces each pattern by the headers of the answer that match it; other names
// stay.
std::string Exposed(const CorsRule& rule, std::string_view headers) {
  std::string exposed;
  const auto add = [&](std::string_view name) {
    if (name.empty() || FitsOneOf(exposed, name)) return;
    if (!exposed.empty()) exposed += ',';
    exposed += name;
  };
  for (std::string_view rest = rule.exposed_headers; !rest.empty();) {
    const std::string_view pattern = ReadName(rest);
    if (!pattern.ends_with('*')) {
      add(pattern);
      continue;
    }
    for (std::string_view names = headers; !names.empty();) {
      const std::string_view name = ReadName(names);
      if (Fits(pattern, name)) add(name);
    }
  }
  return exposed;
}

}  // namespace

Result<HttpHeaders> AnswerPreflight(const CorsQuestion& question,
                                    std::string_view properties) {
  bool has_rules = false;
  const auto rule = FindRule(question, properties, has_rules);
  if (!rule) return Fail(ErrorCode::kCorsPreflightFailure);
  for (std::string_view rest = question.headers; !rest.empty();) {
    const std::string_view name = ReadName(rest);
    if (!name.empty() && !FitsOneOf(rule->allowed_headers, name)) {
      return Fail(ErrorCode::kCorsPreflightFailure);
    }
  }
  HttpHeaders headers = {
      AllowedOrigin(*rule, question),
      {"Access-Control-Allow-Methods", question.method},
  };
  if (!question.headers.empty()) {
    headers.push_back({"Access-Control-Allow-Headers", question.headers});
  }
  headers.push_back({"Access-Control-Max-Age", rule->max_age});
  headers.push_back({"Access-Control-Allow-Credentials", "true"});
  return headers;
}

// Caches must not give the answer for one origin to another one, so a read says
// that it varies, unless it is the same for all.
HttpHeaders CorsHeaders(const CorsQuestion& question,
                        std::string_view properties) {
  bool has_rules = false;
  const auto rule = FindRule(question, properties, has_rules);
  HttpHeaders headers;
  const bool is_read = question.method == "GET" || question.method == "HEAD";
  const bool is_for_all = rule && rule->is_for_all;
  if (is_read && has_rules && !is_for_all)
    headers.push_back({"Vary", "Origin"});
  if (!rule) return headers;
  headers.push_back(AllowedOrigin(*rule, question));
  std::string exposed = Exposed(*rule, question.headers);
  if (!exposed.empty()) {
    headers.push_back({"Access-Control-Expose-Headers", std::move(exposed)});
  }
  if (!is_for_all) {
    headers.push_back({"Access-Control-Allow-Credentials", "true"});
  }
  return headers;
}

}  // namespace entitable
