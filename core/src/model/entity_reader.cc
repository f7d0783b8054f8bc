#include "model/entity_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/error_text.h"
#include "base/number.h"
#include "model/limits.h"
#include "model/property_name.h"

namespace entitable {
namespace {

using Kind = JsonMember::Kind;

constexpr std::string_view kTypeAnnotation = "odata.type";

std::unexpected<Error> Unreadable() {
  return Fail(ErrorCode::kInvalidInput, kUnreadableText);
}

// ------------------------------------------------------------------- members

struct Annotation {
  std::string_view property;
  std::string_view name;
};

// "X@odata.type" is (X, odata.type).
std::optional<Annotation> AsAnnotation(std::string_view member_name) {
  const std::size_t at = member_name.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  return Annotation{member_name.substr(0, at), member_name.substr(at + 1)};
}

Result<std::vector<JsonMember>> ReadMembers(JsonReader& reader, JsonText body) {
  if (body.text.size() > kMaxBodyBytes) {
    return Fail(ErrorCode::kRequestBodyTooLarge);
  }
  auto members = reader.ReadFlatObject(body);
  if (!members) return Unreadable();
  return *std::move(members);
}

// A body may have a hundred thousand members, so this must not be quadratic; as
// a heap, because std::sort is 2 KB more of wasm.
bool HasDuplicateNames(const std::vector<JsonMember>& members) {
  std::vector<std::string_view> names;
  names.reserve(members.size());
  for (const JsonMember& member : members) names.push_back(member.name);
  std::make_heap(names.begin(), names.end());
  std::sort_heap(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// The annotations of types, by the property that each belongs to.
class TypeAnnotations {
 public:
  // Fails with PropertyNameInvalid when an annotation belongs to no name.
  static Result<TypeAnnotations> Of(const std::vector<JsonMember>& members) {
    TypeAnnotations annotations;
    for (const JsonMember& member : members) {
      const auto annotation = AsAnnotation(member.name);
      if (!annotation) continue;
      if (annotation->property.empty()) {
        return Fail(ErrorCode::kPropertyNameInvalid);
      }
      if (annotation->name == kTypeAnnotation) {
        annotations.types_.emplace_back(annotation->property, &member);
      }
    }
    return annotations;
  }

  const JsonMember* Find(std::string_view property) const {
    for (const auto& [name, member] : types_) {
      if (name == property) return member;
    }
    return nullptr;
  }

 private:
  std::vector<std::pair<std::string_view, const JsonMember*>> types_;
};

bool IsSystemName(std::string_view name) {
  return name == "PartitionKey" || name == "RowKey" || name == "Timestamp";
}

// A member that becomes a custom property: no annotation, no system property,
// and not null, because the service treats null as not sent.
bool IsCustomProperty(const JsonMember& member) {
  return member.kind != Kind::kNull && !IsSystemName(member.name) &&
         !member.name.starts_with("odata.") && !AsAnnotation(member.name);
}

Result<void> CheckCustomNames(const std::vector<JsonMember>& members) {
  std::size_t count = 0;
  for (const JsonMember& member : members) {
    if (!IsCustomProperty(member)) continue;
    ENTITABLE_TRY(CheckPropertyName(member.name));
    ++count;
  }
  if (count > kMaxCustomProperties) return Fail(ErrorCode::kTooManyProperties);
  return {};
}

// -------------------------------------------------------------------- values

// By the JSON alone.  Source: data model, 1.5.1.
Value InferredValue(const JsonMember& member) {
  switch (member.kind) {
    case Kind::kBoolean:
      return Value::Boolean(member.boolean);
    case Kind::kString:
      return Value::String(member.text);
    case Kind::kInteger:
      if (const auto integer = ParseInt32(member.text)) {
        return Value::Int32(*integer);
      }
      return Value::Double(member.number);
    case Kind::kDecimal:
    case Kind::kNull:
      break;
  }
  return Value::Double(member.number);
}

std::optional<double> NamedDouble(std::string_view text) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity" || text == "INF") return kInfinity;
  if (text == "-Infinity" || text == "-INF") return -kInfinity;
  return std::nullopt;
}

std::optional<Value> AsInt32(const JsonMember& member) {
  if (member.kind != Kind::kInteger && member.kind != Kind::kString) return {};
  return ParseInt32(member.text).transform(&Value::Int32);
}

std::optional<Value> AsInt64(const JsonMember& member) {
  if (member.kind != Kind::kInteger && member.kind != Kind::kString) return {};
  return ParseInt64(member.text).transform(&Value::Int64);
}

std::optional<Value> AsDouble(const JsonMember& member) {
  if (member.kind == Kind::kInteger || member.kind == Kind::kDecimal) {
    return Value::Double(member.number);
  }
  if (member.kind != Kind::kString) return {};
  if (const auto named = NamedDouble(member.text)) return Value::Double(*named);
  return ParseDouble(member.text).transform(&Value::Double);
}

std::optional<Value> AsBoolean(const JsonMember& member) {
  if (member.kind == Kind::kBoolean) return Value::Boolean(member.boolean);
  if (member.kind != Kind::kString) return {};
  if (member.text == "true") return Value::Boolean(true);
  if (member.text == "false") return Value::Boolean(false);
  return {};
}

// Fails with OutOfRangeInput for a date before 1601.
Result<Value> AsDateTime(const JsonMember& member) {
  if (member.kind != Kind::kString) return Unreadable();
  const auto time = DateTime::Parse(member.text);
  if (!time) return Unreadable();
  if (*time < kMinDateTime) {
    return Fail(ErrorCode::kOutOfRangeInput,
                "The '" + std::string(member.name) + "' parameter of value '" +
                    time->ToErrorString() + "' is out of range.");
  }
  return Value::OfDateTime(*time);
}

// `bytes` keeps what a Binary is a view of.  Source: data model, 1.5.2.
Result<Value> AnnotatedValue(const JsonMember& member, EdmType type,
                             std::string& bytes) {
  std::optional<Value> value;
  switch (type) {
    case EdmType::kString:
      if (member.kind == Kind::kString) value = Value::String(member.text);
      break;
    case EdmType::kInt32:
      value = AsInt32(member);
      break;
    case EdmType::kInt64:
      value = AsInt64(member);
      break;
    case EdmType::kDouble:
      value = AsDouble(member);
      break;
    case EdmType::kBoolean:
      value = AsBoolean(member);
      break;
    case EdmType::kDateTime:
      return AsDateTime(member);
    case EdmType::kGuid:
      if (member.kind == Kind::kString) {
        value = Guid::Parse(member.text).transform(&Value::OfGuid);
      }
      break;
    case EdmType::kBinary:
      if (member.kind != Kind::kString) break;
      if (auto decoded = DecodeBase64(member.text)) {
        bytes = *std::move(decoded);
        value = Value::Binary(bytes);
      }
      break;
  }
  if (!value) return Unreadable();
  return *value;
}

Result<Value> ReadValue(const JsonMember& member, const JsonMember* annotation,
                        std::string& bytes) {
  if (annotation == nullptr) return InferredValue(member);
  if (annotation->kind != Kind::kString) return Fail(ErrorCode::kInvalidInput);
  const auto type = ParseEdmType(annotation->text);
  if (!type) return Fail(ErrorCode::kInvalidInput);
  return AnnotatedValue(member, *type, bytes);
}

bool IsTooLarge(const Value& value) {
  switch (value.type()) {
    case EdmType::kString:
      return Utf16Length(value.string()) > kMaxStringLength;
    case EdmType::kBinary:
      return value.binary().size() > kMaxBinaryBytes;
    default:
      return false;
  }
}

// Every value is read before the first size counts, so that a value against its
// annotation is reported before one too large.
Result<PropertyList> ReadProperties(const std::vector<JsonMember>& members,
                                    const TypeAnnotations& types) {
  PropertyList properties;
  bool is_too_large = false;
  std::string bytes;
  for (const JsonMember& member : members) {
    if (!IsCustomProperty(member)) continue;
    ENTITABLE_TRY(const Value value,
                  ReadValue(member, types.Find(member.name), bytes));
    is_too_large = is_too_large || IsTooLarge(value);
    if (!is_too_large) properties.Append(member.name, value);
  }
  if (is_too_large) return Fail(ErrorCode::kPropertyValueTooLarge);
  return properties;
}

// ---------------------------------------------------------------------- keys

Result<std::string> ReadKey(const std::vector<JsonMember>& members,
                            const TypeAnnotations& types,
                            std::string_view name) {
  const auto member =
      std::find_if(members.begin(), members.end(),
                   [&](const JsonMember& other) { return other.name == name; });
  if (member == members.end() || member->kind == Kind::kNull) {
    return Fail(ErrorCode::kPropertiesNeedValue);
  }
  const JsonMember* annotation = types.Find(name);
  const bool is_string =
      member->kind == Kind::kString &&
      (annotation == nullptr || annotation->text == "Edm.String");
  if (!is_string) return Fail(ErrorCode::kInvalidInput);
  switch (FindKeyFlaw(member->text)) {
    case KeyFlaw::kForbiddenCharacter:
      return Fail(ErrorCode::kOutOfRangeInput,
                  "The '" + std::string(name) + "' parameter of value '" +
                      std::string(member->text) + "' is out of range.");
    case KeyFlaw::kTooLong:
      return Fail(ErrorCode::kPropertyValueTooLarge);
    case KeyFlaw::kNone:
      break;
  }
  return std::string(member->text);
}

Result<EntityKey> ReadKeys(const std::vector<JsonMember>& members,
                           const TypeAnnotations& types) {
  ENTITABLE_TRY(std::string partition_key,
                ReadKey(members, types, "PartitionKey"));
  ENTITABLE_TRY(std::string row_key, ReadKey(members, types, "RowKey"));
  return EntityKey{std::move(partition_key), std::move(row_key)};
}

Result<void> CheckNames(const std::vector<JsonMember>& members) {
  if (HasDuplicateNames(members)) {
    return Fail(ErrorCode::kDuplicatePropertiesSpecified);
  }
  return CheckCustomNames(members);
}

}  // namespace

Result<NewEntity> ReadNewEntity(JsonReader& reader, JsonText body) {
  ENTITABLE_TRY(const auto members, ReadMembers(reader, body));
  ENTITABLE_TRY(CheckNames(members));
  ENTITABLE_TRY(const auto types, TypeAnnotations::Of(members));
  ENTITABLE_TRY(EntityKey key, ReadKeys(members, types));
  ENTITABLE_TRY(PropertyList properties, ReadProperties(members, types));
  ENTITABLE_TRY(CheckEntityLimits(key.view(), properties));
  return NewEntity{std::move(key), std::move(properties)};
}

Result<PropertyList> ReadUpdate(JsonReader& reader, JsonText body,
                                EntityKeyView key) {
  ENTITABLE_TRY(const auto members, ReadMembers(reader, body));
  ENTITABLE_TRY(CheckNames(members));
  ENTITABLE_TRY(const auto types, TypeAnnotations::Of(members));
  ENTITABLE_TRY(PropertyList properties, ReadProperties(members, types));
  ENTITABLE_TRY(CheckEntityLimits(key, properties));
  return properties;
}

Result<std::string> ReadTableName(JsonReader& reader, JsonText body) {
  ENTITABLE_TRY(const auto members, ReadMembers(reader, body));
  if (HasDuplicateNames(members)) {
    return Fail(ErrorCode::kDuplicatePropertiesSpecified);
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
