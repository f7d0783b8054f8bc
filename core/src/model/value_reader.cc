// Without an annotation, the JSON decides the type:
//
//   true, false                       Boolean
//   a string                          String
//   a number without . e and E        Int32 if it fits, else Double
//   any other number                  Double
//
// With one, a value of the type may come in several forms, and others are
// wrong:
//
//   Edm.String                        a string
//   Edm.Int32, Edm.Int64              an integer, or its text
//   Edm.Double                        a number, its text, or the name of NaN or
//                                     of an infinity
//   Edm.Boolean                       true, false, or their texts in any case
//   Edm.DateTime, Guid, Binary        their texts
//
// A reader of a type says only whether there is a value.  Why there is none is
// found out afterwards (BrokenRule()), so sound values do not pay for it: a
// form that is right has a value out of range, and any other form is wrong.

#include "model/value_reader.h"

#include <limits>

#include "base/ascii.h"
#include "base/error_text.h"
#include "base/number.h"
#include "base/text_encodings.h"
#include "base/utf.h"
#include "model/limits.h"

namespace entitable {
namespace {

using Kind = JsonMember::Kind;

// --------------------------------------------------------------------- values

// Determined by the JSON alone.  Source: data model, 1.5.1.
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
    default:
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
  // .NET clients write "True".  Case 558.
  if (EqualsIgnoringAsciiCase(member.text, "true")) return Value::Boolean(true);
  if (EqualsIgnoringAsciiCase(member.text, "false")) {
    return Value::Boolean(false);
  }
  return {};
}

std::optional<Value> AsDateTime(const JsonMember& member) {
  if (member.kind != Kind::kString) return {};
  const auto time = DateTime::Parse(member.text);
  if (!time || *time < kMinDateTime) return {};
  return Value::OfDateTime(*time);
}

std::optional<Value> AsGuid(const JsonMember& member) {
  if (member.kind != Kind::kString) return {};
  return Guid::Parse(member.text).transform(&Value::OfGuid);
}

std::optional<Value> AsBinary(const JsonMember& member, std::string& bytes) {
  if (member.kind != Kind::kString) return {};
  auto decoded = DecodeBase64(member.text);
  if (!decoded) return {};
  bytes = *std::move(decoded);
  return Value::Binary(bytes);
}

// Source: data model, 1.5.2.
std::optional<Value> AnnotatedValue(const JsonMember& member, EdmType type,
                                    std::string& bytes) {
  switch (type) {
    case EdmType::kString:
      if (member.kind != Kind::kString) return {};
      return Value::String(member.text);
    case EdmType::kInt32:
      return AsInt32(member);
    case EdmType::kInt64:
      return AsInt64(member);
    case EdmType::kDouble:
      return AsDouble(member);
    case EdmType::kBoolean:
      return AsBoolean(member);
    case EdmType::kDateTime:
      return AsDateTime(member);
    case EdmType::kGuid:
      return AsGuid(member);
    case EdmType::kBinary:
      return AsBinary(member, bytes);
  }
  return {};
}

// ------------------------------------------------------------------- failures

// Whether a value of this type can have this kind of JSON at all.
bool TakesKind(EdmType type, Kind kind) {
  switch (type) {
    case EdmType::kInt32:
    case EdmType::kInt64:
    case EdmType::kDouble:
      return kind != Kind::kBoolean;
    case EdmType::kBoolean:
      return kind == Kind::kBoolean || kind == Kind::kString;
    default:
      return kind == Kind::kString;
  }
}

// The rule that the member breaks, after AnnotatedValue() found no value.
Rule BrokenRule(const JsonMember& member, EdmType type) {
  if (!TakesKind(type, member.kind)) return Rule::kValueType;
  switch (type) {
    case EdmType::kInt32:
      return HasIntegerForm(member.text) ? Rule::kInt32Range
                                         : Rule::kInt32Format;
    case EdmType::kInt64:
      return HasIntegerForm(member.text) ? Rule::kInt64Range
                                         : Rule::kInt64Format;
    case EdmType::kDouble:
      return HasDoubleForm(member.text) ? Rule::kDoubleRange
                                        : Rule::kDoubleFormat;
    case EdmType::kBoolean:
      return Rule::kBooleanFormat;
    case EdmType::kDateTime:
      return DateTime::Parse(member.text) ? Rule::kDateTimeRange
                                          : Rule::kDateTimeFormat;
    case EdmType::kGuid:
      return Rule::kGuidFormat;
    case EdmType::kBinary:
      return Rule::kBase64;
    case EdmType::kString:
      break;
  }
  return Rule::kValueType;
}

void ReportNoValue(const JsonMember& member, EdmType type, Report& report) {
  const Rule rule = BrokenRule(member, type);
  if (rule != Rule::kDateTimeRange) {
    report.Add(rule, ErrorCode::kInvalidInput, member.name, kUnreadableText);
    return;
  }
  std::string message = "The '";
  message.append(member.name).append("' parameter of value '");
  message.append(DateTime::Parse(member.text)->ToErrorString());
  message.append("' is out of range.");
  report.Add(rule, ErrorCode::kOutOfRangeInput, member.name, message);
}

std::optional<EdmType> AnnotatedType(const JsonMember& annotation) {
  if (annotation.kind != Kind::kString) return {};
  return ParseEdmType(annotation.text);
}

}  // namespace

std::optional<Value> ReadValue(const JsonMember& member,
                               const JsonMember* annotation, std::string& bytes,
                               Report& report) {
  if (annotation == nullptr) return InferredValue(member);
  const auto type = AnnotatedType(*annotation);
  if (!type) {
    report.Add(Rule::kTypeName, ErrorCode::kInvalidInput, member.name);
    return {};
  }
  auto value = AnnotatedValue(member, *type, bytes);
  if (!value) ReportNoValue(member, *type, report);
  return value;
}

bool CheckValueLength(std::string_view name, const Value& value,
                      Report& report) {
  Rule rule = Rule::kStringLength;
  std::size_t limit = kMaxStringLength;
  std::size_t length = 0;
  switch (value.type()) {
    case EdmType::kString:
      // No text has more UTF-16 units than bytes.
      length = value.string().size();
      if (length > limit) length = Utf16Length(value.string());
      break;
    case EdmType::kBinary:
      rule = Rule::kBinaryLength;
      limit = kMaxBinaryBytes;
      length = value.binary().size();
      break;
    default:
      return true;
  }
  return length <= limit ||
         report.AddMeasure(rule, ErrorCode::kPropertyValueTooLarge, name, limit,
                           length);
}

}  // namespace entitable
