// settings_lines.h - settings of tables and of the account, as lines of
// records.

#ifndef ENTITABLE_TESTS_SUPPORT_SETTINGS_LINES_H_
#define ENTITABLE_TESTS_SUPPORT_SETTINGS_LINES_H_

#include <string>
#include <utility>

#include "support/operations.h"

namespace entitable {

// What an answer has, which may be nothing.
inline std::string Lines(const Result<Response>& answer) {
  return answer ? answer->body : Outcome(answer);
}

inline OwnedOperation Policies(std::string table) {
  return {OperationKind::kGetPolicies, std::move(table)};
}

inline OwnedOperation StorePolicies(std::string table, std::string lines) {
  return {.kind = OperationKind::kSetPolicies,
          .table = std::move(table),
          .body = std::move(lines)};
}

inline OwnedOperation GetProperties() {
  return {OperationKind::kGetServiceProperties};
}

inline OwnedOperation SetProperties(std::string lines) {
  return {.kind = OperationKind::kSetServiceProperties,
          .body = std::move(lines)};
}

inline std::string Policy(const std::string& id,
                          const std::string& members = "") {
  return R"({"kind":"SignedIdentifier","Id":")" + id + "\"" + members + "}\n";
}

inline const std::string kReaders =
    Policy("readers", R"(,"AccessPolicy.Permission":"r")");

inline const std::string kLoggingOff =
    R"({"kind":"Logging","Version":"1.0","Read":"false","Write":"false",)"
    R"("Delete":"false","RetentionPolicy.Enabled":"false"})"
    "\n";
inline const std::string kMetricsOff =
    R"(Metrics","Version":"1.0","Enabled":"false",)"
    R"("RetentionPolicy.Enabled":"false"})"
    "\n";
inline const std::string kNoRules = "{\"kind\":\"Cors\"}\n";
inline const std::string kDefaults = kLoggingOff + "{\"kind\":\"Hour" +
                                     kMetricsOff + "{\"kind\":\"Minute" +
                                     kMetricsOff + kNoRules;

inline std::string Rule(const std::string& origins,
                        const std::string& methods = "GET",
                        const std::string& headers = "x-ms-*",
                        const std::string& age = "60") {
  return R"({"kind":"CorsRule","AllowedMethods":")" + methods +
         R"(","AllowedOrigins":")" + origins + R"(","AllowedHeaders":")" +
         headers + R"(","ExposedHeaders":"","MaxAgeInSeconds":")" + age +
         "\"}\n";
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SETTINGS_LINES_H_
