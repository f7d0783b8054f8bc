#include "entitable/validate.h"

#include <utility>

#include "base/json_reader.h"
#include "base/utf.h"
#include "model/entity_key.h"
#include "model/entity_reader.h"
#include "model/property_name.h"
#include "model/report.h"
#include "model/table_name.h"

namespace entitable {
namespace {

// Runs the check if the text is valid UTF-8.
template <typename Check>
Findings FindingsOf(std::string_view utf8, Check check) {
  Report report(kMaxViolations);
  if (IsValidUtf8(utf8)) {
    check(report);
  } else {
    report.Add(Rule::kTextEncoding, ErrorCode::kInvalidInput);
  }
  return std::move(report).Take();
}

}  // namespace

Findings ValidateEntity(std::string_view body, Profile profile) {
  JsonReader reader;
  Report report(kMaxViolations);
  NewEntity entity;
  ReadNewEntity(reader, {body, body.size()}, profile, report, entity);
  return std::move(report).Take();
}

Findings ValidateTableName(std::string_view utf8) {
  return FindingsOf(utf8,
                    [=](Report& report) { CheckTableName(utf8, report); });
}

Findings ValidatePropertyName(std::string_view utf8) {
  return FindingsOf(
      utf8, [=](Report& report) { CheckPropertyName(utf8, {}, report); });
}

Findings ValidateKey(std::string_view utf8, Profile profile) {
  return FindingsOf(utf8, [=](Report& report) {
    if (CheckKeyCharacters({}, utf8, report)) {
      CheckKeyLength({}, utf8, profile, report);
    }
  });
}

}  // namespace entitable
