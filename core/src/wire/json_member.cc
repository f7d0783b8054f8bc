#include "wire/json_member.h"

#include <cmath>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/text_encodings.h"

namespace entitable {
namespace {

bool IsIntegral(double value) { return std::trunc(value) == value; }

void AppendDoubleJson(double value, TextBuffer& out) {
  if (std::isfinite(value)) return AppendDouble(value, out);
  out += '"';
  AppendDouble(value, out);
  out += '"';
}

}  // namespace

void AppendName(std::string_view name, TextBuffer& out) {
  if (out.back() != '{') out += ',';
  AppendJsonString(name, out);
  out += ':';
}

void AppendMember(std::string_view name, std::string_view text,
                  TextBuffer& out) {
  AppendName(name, out);
  AppendJsonString(text, out);
}

void AppendTypeAnnotation(std::string_view name, EdmType type,
                          TextBuffer& out) {
  AppendName(name, out);
  // The suffix continues the name, so remove its closing quote and colon.
  out.RemoveLast(2);
  out += "@odata.type\":\"";
  out += EdmTypeName(type);
  out += '"';
}

bool NeedsTypeAnnotation(const Value& value, MetadataLevel level) {
  if (level == MetadataLevel::kNone) return false;
  switch (value.type()) {
    case EdmType::kString:
    case EdmType::kInt32:
    case EdmType::kBoolean:
      return false;
    case EdmType::kDouble:
      return !std::isfinite(value.real()) ||
             (level == MetadataLevel::kTyped && IsIntegral(value.real()));
    default:
      return true;
  }
}

void AppendValueJson(const Value& value, TextBuffer& out) {
  switch (value.type()) {
    case EdmType::kString:
      return AppendJsonString(value.string(), out);
    case EdmType::kInt32:
      return AppendDecimal(value.int32(), out);
    case EdmType::kInt64:
      out += '"';
      AppendDecimal(value.int64(), out);
      out += '"';
      return;
    case EdmType::kDouble:
      return AppendDoubleJson(value.real(), out);
    case EdmType::kBoolean:
      out += value.boolean() ? "true" : "false";
      return;
    case EdmType::kDateTime:
      out += '"';
      value.date_time().AppendTo(out);
      out += '"';
      return;
    case EdmType::kGuid:
      return AppendJsonString(value.guid().ToString(), out);
    case EdmType::kBinary:
      out += '"';
      AppendBase64(value.binary(), out);
      out += '"';
      return;
  }
}

}  // namespace entitable
