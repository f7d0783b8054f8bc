#include "entitable/validate.h"

#include <utility>

#include "base/json_reader.h"
#include "base/utf.h"
#include "model/entity_key.h"
#include "model/entity_reader.h"
#include "model/names.h"
#include "model/report.h"
#include "model/schema.h"

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

void CheckSchema(std::string_view bytes, const NewEntity& entity,
                 Report& report) {
  const auto schema = Schema::Parse(bytes);
  if (!schema) {
    report.Add(Rule::kJson, schema.error().code, {}, schema.error().message);
    return;
  }
  Report of_schema(kMaxViolations);
  schema->Check(entity.key.view(), entity.properties.bytes(),
                report.violations(), of_schema);
  report.AddAll(std::move(of_schema));
}

}  // namespace

// These functions run the very checks of a request, with a report that has room
// for more.  So the first violation of a list is always the engine's answer.
// The rules of a schema come last, and only if the entity was read as a whole.
Findings ValidateEntity(std::string_view body, Profile profile,
                        std::optional<std::string_view> schema) {
  JsonReader reader;
  Report report(kMaxViolations);
  NewEntity entity;
  const bool is_read =
      ReadNewEntity(reader, {body, body.size()}, profile, report, entity);
  // The others were not read.
  const bool is_whole = entity.properties.count() < kMaxValidatedProperties;
  if (schema && is_read && is_whole) CheckSchema(*schema, entity, report);
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
