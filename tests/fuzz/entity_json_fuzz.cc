// Any bytes as the body of an Insert: the engine and the validators agree, and
// what is read survives being written and read again.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entitable/validate.h"
#include "fuzz/expect.h"
#include "model/entity_reader.h"
#include "wire/entity_writer.h"

namespace entitable {
namespace {

bool operator==(const NewEntity& a, const NewEntity& b) {
  return a.key == b.key && a.properties.bytes() == b.properties.bytes();
}

bool operator==(const Error& a, const Error& b) {
  return a.code == b.code && a.message == b.message;
}

// ---------------------------------------------------------------- written
// again

std::string Written(const NewEntity& entity, MetadataLevel level) {
  const PayloadContext context{level, "acct", "http://a", "Pets"};
  std::string json;
  AppendEntity(context, entity.key.view(),
               {kMinDateTime, entity.properties.bytes()}, json);
  ExpectJson(json);
  return json;
}

// Without the annotations of the lowest level, a value may be of another type,
// and text may be longer than a String is allowed to be.
void ExpectRoundTrip(const NewEntity& entity, JsonReader& reader) {
  for (const MetadataLevel level :
       {MetadataLevel::kMinimal, MetadataLevel::kFull, MetadataLevel::kTyped}) {
    const std::string json = Written(entity, level);
    const auto again = ReadNewEntity(reader, {json});
    Expect(again.has_value(), "what was written can be read");
    Expect(Written(*again, level) == json, "and says the same");
    Expect(again->key == entity.key &&
               again->properties.count() == entity.properties.count(),
           "nothing is lost");
  }
  Written(entity, MetadataLevel::kNone);
}

// The form in which memory and the log hold it.
void ExpectPacked(const PropertyList& properties) {
  const auto again = PropertyList::FromBytes(properties.bytes());
  Expect(again && again->count() == properties.count() &&
             again->bytes() == properties.bytes(),
         "packed properties can be unpacked");
  const PropertyList sorted = SortedByName(properties);
  const PropertyList merged = MergedByName(properties.bytes(), properties);
  Expect(merged.bytes() == sorted.bytes(),
         "an entity merged into itself is the same");
}

// ------------------------------------------------------------------- judgement

void ExpectAgreement(std::string_view body, const Result<NewEntity>& entity) {
  const Findings findings = ValidateEntity(body);
  Expect(findings.violations.empty() == entity.has_value(),
         "an entity is taken when no rule is broken");
  ExpectJson(ToJson(findings));
  if (entity) return;
  const Violation& first = findings.violations.front();
  Expect(Error{first.code, first.message} == entity.error(),
         "the first violation is the service's answer");
}

// A body is parsed where it lies, in front of bytes of another request.
void ExpectSameInPlace(std::string_view body, const Result<NewEntity>& entity,
                       JsonReader& reader) {
  for (const char c : {'9', '}', '"'}) {
    std::string longer(body);
    longer.append(kJsonPadding, c);
    const auto again =
        ReadNewEntity(reader, {{longer.data(), body.size()}, longer.size()});
    Expect(entity ? again && *again == *entity
                  : !again && again.error() == entity.error(),
           "what lies behind a body does not matter");
  }
}

void ExpectStricter(std::string_view body, const Result<NewEntity>& entity,
                    JsonReader& reader) {
  const auto strict =
      ReadNewEntity(reader, {body, body.size()}, Profile::kService);
  const bool has_warning = entity && !entity->warnings.empty();
  Expect(strict.has_value() == (entity && !has_warning),
         "a warning is what the strict profile refuses");
}

}  // namespace

void Test(std::string_view body) {
  static JsonReader reader;
  const auto entity = ReadNewEntity(reader, {body, body.size()});
  ExpectAgreement(body, entity);
  ExpectSameInPlace(body, entity, reader);
  ExpectStricter(body, entity, reader);
  if (entity) {
    ExpectRoundTrip(*entity, reader);
    ExpectPacked(entity->properties);
    const auto update =
        ReadUpdate(reader, {body, body.size()}, {entity->key.view()});
    Expect(update && update->properties.bytes() == entity->properties.bytes(),
           "an update takes what an insert does");
  }
  (void)ReadTableName(reader, {body, body.size()}).has_value();
  for (const Findings& findings :
       {ValidateTableName(body), ValidatePropertyName(body),
        ValidateKey(body)}) {
    ExpectJson(ToJson(findings));
  }
}

}  // namespace entitable
