#include "model/report.h"

#include "base/json_writer.h"
#include "base/utf.h"

namespace entitable {
namespace {

// A violation has the members of its struct in JSON, too (violation.h).  Those
// without a value are left out.
constexpr std::string_view kRuleNames[] = {
#define ENTITABLE_X(name, code) code,
    ENTITABLE_RULES(ENTITABLE_X)
#undef ENTITABLE_X
};

Violation MakeViolation(Rule rule, ErrorCode code, Report::Path path,
                        std::string_view message) {
  if (message.empty()) message = ErrorText(code);
  Violation violation{rule, code, std::string(message)};
  if (path) violation.path = *path;
  return violation;
}

// ---------------------------------------------------------------------- JSON

void AppendMember(std::string_view name, std::string_view text,
                  std::string& out) {
  out.append(",\"").append(name).append("\":");
  AppendJsonString(text, out);
}

void AppendMember(std::string_view name, std::optional<std::size_t> number,
                  std::string& out) {
  if (!number) return;
  out.append(",\"").append(name).append("\":");
  AppendDecimal(static_cast<std::int64_t>(*number), out);
}

void AppendJson(const Violation& violation, std::string& out) {
  out.append("{\"rule\":\"").append(RuleName(violation.rule)).push_back('"');
  if (violation.path) AppendMember("path", *violation.path, out);
  AppendMember("code", ErrorName(violation.code), out);
  AppendMember("message", violation.message, out);
  AppendMember("limit", violation.limit, out);
  AppendMember("actual", violation.actual, out);
  AppendMember("position", violation.position, out);
  if (!violation.character.empty()) {
    AppendMember("character", violation.character, out);
  }
  out.push_back('}');
}

}  // namespace

std::string_view RuleName(Rule rule) {
  return kRuleNames[static_cast<std::size_t>(rule)];
}

bool Report::Add(Rule rule, ErrorCode code, Path path,
                 std::string_view message) {
  findings_.violations.push_back(MakeViolation(rule, code, path, message));
  return !is_full();
}

bool Report::AddMeasure(Rule rule, ErrorCode code, Path path, std::size_t limit,
                        std::size_t actual, std::string_view message) {
  const bool goes_on = Add(rule, code, path, message);
  findings_.violations.back().limit = limit;
  findings_.violations.back().actual = actual;
  return goes_on;
}

bool Report::AddCharacter(Rule rule, ErrorCode code, Path path,
                          std::string_view text, std::size_t at,
                          std::string_view message) {
  const bool goes_on = Add(rule, code, path, message);
  Violation& violation = findings_.violations.back();
  violation.position = Utf16Length(text.substr(0, at));
  std::string_view rest = text.substr(at);
  ReadCodePoint(rest);
  violation.character = text.substr(at, text.size() - at - rest.size());
  return goes_on;
}

// What has no room is dropped, and so are the warnings of the other report.
bool Report::AddAll(Report other) {
  for (Violation& violation : other.findings_.violations) {
    if (is_full()) break;
    findings_.violations.push_back(std::move(violation));
  }
  return !is_full();
}

void Report::WarnOfMeasure(Rule rule, ErrorCode code, Path path,
                           std::size_t limit, std::size_t actual) {
  Violation warning = MakeViolation(rule, code, path, {});
  warning.limit = limit;
  warning.actual = actual;
  findings_.warnings.push_back(std::move(warning));
}

Error Report::FirstError() const {
  const Violation& first = findings_.violations.front();
  return {first.code, first.message};
}

void AppendJson(const std::vector<Violation>& violations, std::string& out) {
  out.push_back('[');
  for (const Violation& violation : violations) {
    if (out.back() == '}') out.push_back(',');
    AppendJson(violation, out);
  }
  out.push_back(']');
}

std::string ToJson(const Findings& findings) {
  std::string json = "{\"violations\":";
  AppendJson(findings.violations, json);
  json.append(",\"warnings\":");
  AppendJson(findings.warnings, json);
  json.push_back('}');
  return json;
}

}  // namespace entitable
