// A schema stays as it is stored: a sequence of bytes that Parse() has checked
// once.  To check an entity is to read these bytes from front to back, so there
// is no second form of a schema that could differ from the first:
//
//   head  property rule rule  property  property rule  ...
//
// The values of the entity are put into a hash index first.  A property of the
// schema then has four cases, and its rules are looked at in the last one
// alone.  Their bytes are read in all cases, because the next property follows
// them:
//
//   the entity has none            SchemaRequired, unless it is optional
//   an earlier check reported it   nothing
//   another type, or not finite    SchemaType
//   else                           each rule, in the order of the schema
//
// Null members are no values here, as everywhere in the service.  Keys count as
// properties, except that a schema without them does not call them unknown.
//
// A write may have to keep two schemas: that of the request and that of the
// table.  If their bytes are equal, one check is enough.  Otherwise the table's
// schema leaves out what the request's schema has reported.

#include "model/schema.h"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/hash_index.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/utf.h"
#include "model/limits.h"
#include "model/multiple_of.h"
#include "model/schema_format.h"
#include "model/value_order.h"

namespace entitable {
namespace {

constexpr char kMissingText[] = "is missing, but the schema requires it";
constexpr char kUnknownText[] = "is not in the schema, which allows no others";
constexpr char kNotFiniteText[] = ", which is not a finite number";
constexpr char kNotInEnumText[] =
    ", which is not one of the values of the schema";

// The first rule of the schema and the first kind are the same rule.
Rule RuleOf(SchemaRule kind) {
  return static_cast<Rule>(static_cast<std::uint8_t>(Rule::kSchemaMinLength) +
                           static_cast<std::uint8_t>(kind) - 1);
}
static_assert(static_cast<int>(Rule::kSchemaEnum) -
                  static_cast<int>(Rule::kSchemaMinLength) ==
              static_cast<int>(SchemaRule::kEnum) -
                  static_cast<int>(SchemaRule::kMinLength));

// The names in JSON Schema, by the numbers of the kinds.
constexpr std::string_view kKindNames[] = {
    {},           "minLength",        "maxLength",
    "minBytes",   "maxBytes",         "minimum",
    "maximum",    "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf",
};

// NaN is not in any range.
bool IsWithin(SchemaRule kind, const Value& value, const Value& limit) {
  if (kind == SchemaRule::kMultipleOf) return IsMultiple(value, limit);
  const auto order = OrderOfOneType(value, limit);
  switch (kind) {
    case SchemaRule::kMinimum:
      return order >= 0;
    case SchemaRule::kMaximum:
      return order <= 0;
    case SchemaRule::kExclusiveMinimum:
      return order > 0;
    default:
      return order < 0;
  }
}

// ------------------------------------------------------------------- messages

// Long texts are cut.
constexpr std::size_t kMaxShownBytes = 64;

void AppendShown(std::string_view text, std::string& out) {
  std::string_view rest = text;
  while (!rest.empty() && text.size() - rest.size() < kMaxShownBytes) {
    ReadCodePoint(rest);
  }
  out.append("\"").append(text.substr(0, text.size() - rest.size()));
  out.append(rest.empty() ? "\"" : "\u2026\"");
}

void AppendShown(const Value& value, std::string& out) {
  switch (value.type()) {
    case EdmType::kString:
      return AppendShown(value.string(), out);
    case EdmType::kInt32:
      return AppendDecimal(value.int32(), out);
    case EdmType::kInt64:
      return AppendDecimal(value.int64(), out);
    case EdmType::kDouble:
      return AppendDouble(value.real(), out);
    case EdmType::kBoolean:
      out.append(value.boolean() ? "true" : "false");
      return;
    case EdmType::kDateTime:
      out.append(value.date_time().ToString());
      return;
    case EdmType::kGuid:
      out.append(value.guid().ToString());
      return;
    case EdmType::kBinary:
      AppendUnsigned(value.binary().size(), out);
      out.append(" bytes");
      return;
  }
}

void AppendBound(SchemaRule kind, std::string& out) {
  out.append("; the ").append(kKindNames[static_cast<std::uint8_t>(kind)]);
  out.append(" of the schema is ");
}

// Without the prefix of the service, which is the same for all.
std::string_view ShortTypeName(EdmType type) {
  return EdmTypeName(type).substr(std::string_view("Edm.").size());
}

std::string TypeText(EdmType actual, EdmType declared) {
  std::string text = "is of type ";
  text.append(ShortTypeName(actual)).append("; the schema requires ");
  return text.append(ShortTypeName(declared));
}

// ------------------------------------------------------------------- checking

class Checker {
 public:
  Checker(EntityKeyView key, std::string_view properties,
          std::span<const Violation> earlier, Report& report)
      : report_(report) {
    for (const Violation& violation : earlier) {
      if (violation.path) AddIfNew(*violation.path, std::nullopt);
    }
    AddIfNew("PartitionKey", Value::String(key.partition_key));
    AddIfNew("RowKey", Value::String(key.row_key));
    for (PropertyCursor all(properties); const auto property = all.Next();) {
      AddIfNew(property->name, property->value);
    }
  }

  // Returns whether further checks should run.
  bool CheckProperty(Decoder& bytes) {
    declared_ = ReadDeclared(bytes);
    value_ = nullptr;
    Found* found = Find(declared_.name);
    if (found != nullptr) {
      found->is_known = true;
      if (found->value) value_ = &*found->value;
    }
    if (found == nullptr && !declared_.is_optional()) {
      if (!Add(Rule::kSchemaRequired, kMissingText)) return false;
    } else if (value_ != nullptr && value_->type() != declared_.type) {
      const EdmType actual = std::exchange(value_, nullptr)->type();
      if (!Add(Rule::kSchemaType, TypeText(actual, declared_.type))) {
        return false;
      }
    } else if (value_ != nullptr && declared_.is_finite() &&
               !std::isfinite(value_->real())) {
      const std::string text = HoldsText().append(kNotFiniteText);
      value_ = nullptr;
      if (!Add(Rule::kSchemaType, text)) return false;
    }
    for (std::uint8_t n = declared_.rules; n > 0; --n) {
      if (!CheckRule(bytes)) return false;
    }
    return true;
  }

  void CheckUnknown() {
    for (const Found& found : found_) {
      if (found.is_known || !found.value || IsKeyName(found.name)) continue;
      declared_.name = found.name;
      if (!Add(Rule::kSchemaUnknown, kUnknownText)) return;
    }
  }

 private:
  struct Found {
    std::string_view name;
    std::optional<Value> value;  // Nothing: it is reported already.
    bool is_known = false;
  };

  Found* Find(std::string_view name) {
    auto probe = index_.Begin(index_.HashOf(name));
    for (std::size_t i; (i = index_.Next(probe)) != HashIndex::kNone;) {
      if (found_[i].name == name) return &found_[i];
    }
    return nullptr;
  }

  void AddIfNew(std::string_view name, const std::optional<Value>& value) {
    if (Find(name) != nullptr) return;
    index_.Add(index_.HashOf(name));
    found_.push_back({name, value});
  }

  // Reads the rule, also if there is no value.
  bool CheckRule(Decoder& bytes) {
    const auto kind = static_cast<SchemaRule>(bytes.ReadU8());
    if (kind <= SchemaRule::kMaxBytes) {
      return CheckLength(kind, bytes.ReadVarint());
    }
    if (kind == SchemaRule::kEnum) return CheckEnum(bytes);
    const Value limit = ReadPackedValue(declared_.type, bytes);
    if (value_ == nullptr || IsWithin(kind, *value_, limit)) return true;
    std::string text = HoldsText();
    AppendBound(kind, text);
    AppendShown(limit, text);
    return Add(RuleOf(kind), text);
  }

  bool CheckEnum(Decoder& bytes) {
    bool holds = value_ == nullptr;
    for (auto n = bytes.ReadVarint(); n > 0; --n) {
      const Value one = ReadPackedValue(declared_.type, bytes);
      holds = holds || OrderOfOneType(*value_, one) == 0;
    }
    return holds || Add(Rule::kSchemaEnum, HoldsText().append(kNotInEnumText));
  }

  std::string HoldsText() const {
    std::string text = "holds ";
    AppendShown(*value_, text);
    return text;
  }

  bool CheckLength(SchemaRule kind, std::uint64_t limit) {
    if (value_ == nullptr) return true;
    const bool is_text = declared_.type == EdmType::kString;
    const std::size_t actual =
        is_text ? Utf16Length(value_->string()) : value_->binary().size();
    const bool is_least =
        kind == SchemaRule::kMinLength || kind == SchemaRule::kMinBytes;
    if (is_least ? actual >= limit : actual <= limit) return true;
    std::string text = is_text ? HoldsText().append(", which has ") : "has ";
    AppendUnsigned(actual, text);
    text.append(is_text ? " UTF-16 units" : " bytes");
    AppendBound(kind, text);
    AppendUnsigned(limit, text);
    return report_.AddMeasure(RuleOf(kind), ErrorCode::kSchemaViolation,
                              declared_.name, static_cast<std::size_t>(limit),
                              actual, TextOf(text));
  }

  bool Add(Rule rule, std::string_view what) {
    return report_.Add(rule, ErrorCode::kSchemaViolation, declared_.name,
                       TextOf(what));
  }

  std::string TextOf(std::string_view what) const {
    std::string text = "Property \"";
    text.append(declared_.name).append("\" ").append(what);
    return text += '.';
  }

  Report& report_;
  HashIndex index_;
  std::vector<Found> found_;
  DeclaredProperty declared_;
  const Value* value_ = nullptr;  // Of the property, if it has the right type.
};

}  // namespace

Result<Schema> Schema::Parse(std::string_view bytes) {
  if (!IsSchema(bytes)) return Fail(ErrorCode::kInvalidInput, kNoSchemaText);
  return Schema(bytes);
}

bool Schema::looks_for_version() const {
  return (static_cast<std::uint8_t>(bytes_[1]) & kKnowsVersion) != 0;
}

// Writers of typed tables store an Int32; others may use any numeric type.
Result<void> Schema::CheckVersion(std::string_view stored) const {
  if (!looks_for_version()) return {};
  Decoder bytes(bytes_);
  const SchemaHead head = ReadSchemaHead(bytes);
  const auto version = FindProperty(stored, head.version_property);
  if (!version) return {};
  const Value& value = *version;
  const auto latest = static_cast<std::int64_t>(head.known_version);
  const bool is_later =
      (value.type() == EdmType::kInt32 && value.int32() > latest) ||
      (value.type() == EdmType::kInt64 && value.int64() > latest) ||
      (value.type() == EdmType::kDouble &&
       value.real() > static_cast<double>(latest) &&
       std::trunc(value.real()) == value.real());
  if (is_later) return Fail(ErrorCode::kSchemaVersionTooNew);
  return {};
}

void Schema::Check(EntityKeyView key, std::string_view properties,
                   std::span<const Violation> earlier, Report& report) const {
  Decoder rest(bytes_);
  const SchemaHead head = ReadSchemaHead(rest);
  Checker checker(key, properties, earlier, report);
  while (!rest.at_end()) {
    if (!checker.CheckProperty(rest)) return;
  }
  if ((head.flags & kRejectUnknown) != 0) checker.CheckUnknown();
}

Schemas::Schemas(const std::optional<Schema>& given, std::string_view stored) {
  if (given) given_ = &*given;
  if (stored.empty() || (given && given->bytes() == stored)) return;
  stored_ = Schema::Parse(stored);
  if (*stored_) return;
  const bool is_newer =
      static_cast<std::uint8_t>(stored.front()) > kSchemaVersion;
  stored_ = Result<Schema>(Fail(is_newer ? ErrorCode::kStorageVersionNewer
                                         : ErrorCode::kStorageDamaged));
}

Result<void> Schemas::Check(EntityKeyView key,
                            std::string_view properties) const {
  if (are_empty()) return {};
  if (stored_ && !*stored_) return stored_->error();
  Report report(kMaxViolations);
  if (given_ != nullptr) given_->Check(key, properties, {}, report);
  if (stored_) {
    Report of_table(kMaxViolations);
    (*stored_)->Check(key, properties, report.violations(), of_table);
    report.AddAll(std::move(of_table));
  }
  if (report.is_clean()) return {};
  Error error = report.FirstError();
  AppendJson(report.violations(), error.violations);
  return error;
}

}  // namespace entitable
