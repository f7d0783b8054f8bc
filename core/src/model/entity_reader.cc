// The service reports the first rule that an entity breaks, so the order of the
// checks is part of its behavior.  Each stage looks at all members before the
// next one begins:
//
//   size and JSON       ReadMembers     also values that are objects or arrays
//   names               MemberRoles     duplicates, each name, then how many
//   keys                ReadKeys        of an insert; else those of the URL
//   values              ReadProperties  each by its annotation or its JSON
//   lengths of values   the same        kept apart until all values are read
//   size of the entity  CheckEntitySize
//
// Every stage reports to a Report and asks it whether to go on.  A report with
// room for one violation stops the reader where the service would stop.  One
// with more room collects them all, and a value that was refused once is left
// out of what follows, so that nothing is reported twice.
//
// Entities in packed form have values with types already, so only their names,
// keys, lengths and size are checked, in the same order.
//
// `typed` has the names of the Int32 values that were given with their type.
// Only a write that keeps Doubles asks for them (entity.h).  `removed` has the
// properties that a merge removes.

#include "model/entity_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/coding.h"
#include "base/error_text.h"
#include "base/utf.h"
#include "model/entity_members.h"
#include "model/limits.h"
#include "model/value_reader.h"

namespace entitable {
namespace {

using Kind = JsonMember::Kind;

// All checks here report what they find and return whether further checks
// should run.

// ------------------------------------------------------------------- members

// Already reported, as JSON that no request may contain.
bool IsRefused(const JsonMember& member) {
  return member.kind == Kind::kNested || member.kind == Kind::kUnreadable;
}

bool CheckKinds(const Members& members, Report& report) {
  for (const JsonMember& member : members) {
    if (!IsRefused(member)) continue;
    const Rule rule =
        member.kind == Kind::kNested ? Rule::kValueType : Rule::kJson;
    if (!report.Add(rule, ErrorCode::kInvalidInput, member.name,
                    kUnreadableText)) {
      return false;
    }
  }
  return true;
}

// Also returns false if there is nothing left to check.
bool ReadMembers(JsonReader& reader, JsonText body, Report& report,
                 Members& members) {
  if (body.text.size() > kMaxBodyBytes) {
    report.AddMeasure(Rule::kBodySize, ErrorCode::kRequestBodyTooLarge, {},
                      kMaxBodyBytes, body.text.size());
    return false;
  }
  const auto read = reader.ReadFlatObject(body);
  if (!read) {
    report.Add(Rule::kJson, ErrorCode::kInvalidInput, {}, kUnreadableText);
    return false;
  }
  members = *read;
  return CheckKinds(members, report);
}

// ----------------------------------------------------------------- properties

// About how many bytes the properties take.
std::size_t BytesOf(const Members& members) {
  std::size_t bytes = 0;
  for (const JsonMember& member : members) {
    bytes += member.name.size() + member.text.size() + sizeof(double);
  }
  return bytes;
}

// Notes what a merge removes.
void ReadRemoved(const JsonMember& member, std::string& removed) {
  const auto annotation = AsAnnotation(member.name);
  if (!annotation || annotation->name != "entitable.removed") return;
  const bool has_later_parts = member.text == "parts";
  if (!has_later_parts && !member.boolean) return;
  AppendU8(has_later_parts ? 1 : 0, removed);
  AppendText(annotation->property, removed);
}

bool ReadProperties(const Members& members, const MemberRoles& roles,
                    Report& report, PropertyList& properties,
                    std::string& typed, std::string& removed) {
  // All values are read before lengths are checked: a value that does not match
  // its annotation is reported before a value that is too large.
  Report lengths(kMaxViolations);
  std::string bytes;
  properties.Reserve(BytesOf(members));
  for (std::size_t i = 0; i < members.size(); ++i) {
    const JsonMember& member = members[i];
    if (IsRefused(member)) continue;
    if (!roles.IsProperty(i)) {
      ReadRemoved(member, removed);
      continue;
    }
    // Further properties are not read.
    if (properties.count() == kMaxValidatedProperties) break;
    const JsonMember* annotation = roles.TypeOf(i);
    const auto value = ReadValue(member, annotation, bytes, report);
    if (report.is_full()) return false;
    if (!value) continue;
    if (annotation != nullptr && value->type() == EdmType::kInt32) {
      AppendText(member.name, typed);
    }
    CheckValueLength(member.name, *value, lengths);
    properties.Append(member.name, *value);
  }
  return report.AddAll(std::move(lengths));
}

bool CheckLengths(const PropertyList& properties, Report& report) {
  for (PropertyCursor all(properties); const auto property = all.Next();) {
    if (!CheckValueLength(property->name, property->value, report)) {
      return false;
    }
  }
  return true;
}

// ---------------------------------------------------------------------- keys

bool CheckKey(std::string_view name, std::string_view key, Profile profile,
              Report& report) {
  return CheckKeyCharacters(name, key, report) &&
         CheckKeyLength(name, key, profile, report);
}

bool ReadKey(const Members& members, const MemberRoles& roles,
             std::string_view name, Profile profile, Report& report,
             std::string& key) {
  const auto member = std::ranges::find(members, name, &JsonMember::name);
  if (member == members.end() || member->kind == Kind::kNull) {
    return report.Add(Rule::kKeyMissing, ErrorCode::kPropertiesNeedValue, name);
  }
  if (IsRefused(*member)) return true;
  const JsonMember* annotation =
      roles.TypeOf(static_cast<std::size_t>(member - members.begin()));
  const bool is_string =
      member->kind == Kind::kString &&
      (annotation == nullptr || annotation->text == "Edm.String");
  if (!is_string) {
    return report.Add(Rule::kKeyType, ErrorCode::kInvalidInput, name);
  }
  key = member->text;
  return CheckKey(name, key, profile, report);
}

bool ReadKeys(const Members& members, const MemberRoles& roles, Profile profile,
              Report& report, NewEntity& entity) {
  entity.has_key =
      ReadKey(members, roles, "PartitionKey", profile, report,
              entity.key.partition_key) &&
      ReadKey(members, roles, "RowKey", profile, report, entity.key.row_key);
  return entity.has_key;
}

// A timestamp outside the range of clocks would block all later writes.
bool ReadTimestamp(const Members& members, Report& report,
                   DateTime& timestamp) {
  for (const JsonMember& member : members) {
    if (member.name != "Timestamp" || member.kind != Kind::kString) continue;
    const auto time = DateTime::Parse(member.text);
    if (!time || *time < kMinDateTime || *time > kLatestClock) break;
    timestamp = *time;
    return true;
  }
  return report.Add(Rule::kValueType, ErrorCode::kInvalidInput, "Timestamp",
                    kUnreadableText);
}

}  // namespace

bool ReadNewEntity(JsonReader& reader, JsonText body, Profile profile,
                   Report& report, NewEntity& entity) {
  Members members;
  MemberRoles roles;
  entity.has_key = false;
  return ReadMembers(reader, body, report, members) &&
         roles.Read(members, reader, report) &&
         ReadKeys(members, roles, profile, report, entity) &&
         (!entity.is_archived ||
          ReadTimestamp(members, report, entity.timestamp)) &&
         ReadProperties(members, roles, report, entity.properties, entity.typed,
                        entity.removed) &&
         CheckEntitySize(entity.key.view(), entity.properties, report);
}

bool ReadPackedEntity(JsonReader& reader, std::string_view packed,
                      Profile profile, Report& report, NewEntity& entity) {
  Decoder bytes(packed);
  EntityKey& key = entity.key;
  key.partition_key = bytes.ReadText();
  key.row_key = bytes.ReadText();
  auto properties = PropertyList::FromBytes(bytes.rest());
  bool is_sound = !bytes.failed() && properties &&
                  IsValidUtf8(key.partition_key) && IsValidUtf8(key.row_key);
  if (is_sound) entity.properties = *std::move(properties);
  std::vector<JsonMember> members;
  PropertyCursor names(entity.properties);
  while (const auto property = is_sound ? names.NextPacked() : std::nullopt) {
    members.push_back({.name = property->name, .kind = Kind::kString});
    is_sound = IsCustomProperty(members.back());
  }
  if (!is_sound) {
    report.Add(Rule::kJson, ErrorCode::kInvalidInput, {}, kUnreadableText);
    return false;
  }
  return MemberRoles().Read(members, reader, report) &&
         CheckKey("PartitionKey", key.partition_key, profile, report) &&
         CheckKey("RowKey", key.row_key, profile, report) &&
         CheckLengths(entity.properties, report) &&
         CheckEntitySize(key.view(), entity.properties, report);
}

Result<NewEntity> ReadNewEntity(JsonReader& reader, JsonText body,
                                Profile profile) {
  Report report;
  NewEntity entity;
  if (!ReadNewEntity(reader, body, profile, report, entity)) {
    return report.FirstError();
  }
  entity.warnings = report.TakeWarnings();
  return entity;
}

Result<Update> ReadUpdate(JsonReader& reader, JsonText body,
                          const WrittenKey& written) {
  Report report;
  Members members;
  MemberRoles roles;
  Update update;
  const bool is_valid =
      ReadMembers(reader, body, report, members) &&
      roles.Read(members, reader, report) && CheckWrittenKey(written, report) &&
      ReadProperties(members, roles, report, update.properties, update.typed,
                     update.removed) &&
      CheckEntitySize(written.key, update.properties, report);
  if (!is_valid) return report.FirstError();
  update.warnings = report.TakeWarnings();
  return update;
}

Result<std::string> ReadTableName(JsonReader& reader, JsonText body) {
  Report report;
  Members members;
  if (!ReadMembers(reader, body, report, members) ||
      !CheckDuplicateNames(members, report)) {
    return report.FirstError();
  }
  const JsonMember* name = nullptr;
  for (const JsonMember& member : members) {
    if (member.name == "TableName") {
      name = &member;
    } else if (!member.name.starts_with("odata.") &&
               member.name != "TableName@odata.type") {
      return Fail(ErrorCode::kInvalidInput);
    }
  }
  if (name == nullptr || name->kind == Kind::kNull) {
    return Fail(ErrorCode::kPropertiesNeedValue);
  }
  if (name->kind != Kind::kString) return Fail(ErrorCode::kInvalidInput);
  return std::string(name->text);
}

}  // namespace entitable
