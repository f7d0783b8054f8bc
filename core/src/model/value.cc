#include "model/value.h"

#include <memory>

namespace entitable {
namespace {

constexpr EdmType kTypes[] = {
    EdmType::kString,  EdmType::kInt32,    EdmType::kInt64, EdmType::kDouble,
    EdmType::kBoolean, EdmType::kDateTime, EdmType::kGuid,  EdmType::kBinary,
};

}  // namespace

std::string_view EdmTypeName(EdmType type) {
  switch (type) {
    case EdmType::kString:
      return "Edm.String";
    case EdmType::kInt32:
      return "Edm.Int32";
    case EdmType::kInt64:
      return "Edm.Int64";
    case EdmType::kDouble:
      return "Edm.Double";
    case EdmType::kBoolean:
      return "Edm.Boolean";
    case EdmType::kDateTime:
      return "Edm.DateTime";
    case EdmType::kGuid:
      return "Edm.Guid";
    case EdmType::kBinary:
      return "Edm.Binary";
  }
  return {};
}

std::optional<EdmType> ParseEdmType(std::string_view name) {
  for (const EdmType type : kTypes) {
    if (EdmTypeName(type) == name) return type;
  }
  return std::nullopt;
}

// A value is a tagged union that needs no destructor, because a text is a view.
// So a value must not outlive the bytes that it was made of.
Value Value::String(std::string_view utf8) {
  Value value(EdmType::kString);
  std::construct_at(&value.bytes_, utf8);
  return value;
}

Value Value::Int32(std::int32_t number) {
  Value value(EdmType::kInt32);
  value.int64_ = number;
  return value;
}

Value Value::Int64(std::int64_t number) {
  Value value(EdmType::kInt64);
  value.int64_ = number;
  return value;
}

Value Value::Double(double number) {
  Value value(EdmType::kDouble);
  value.double_ = number;
  return value;
}

Value Value::Boolean(bool truth) {
  Value value(EdmType::kBoolean);
  value.int64_ = truth;
  return value;
}

Value Value::OfDateTime(DateTime time) {
  Value value(EdmType::kDateTime);
  value.int64_ = time.ticks;
  return value;
}

Value Value::OfGuid(const entitable::Guid& guid) {
  Value value(EdmType::kGuid);
  std::construct_at(&value.guid_, guid);
  return value;
}

Value Value::Binary(std::string_view bytes) {
  Value value(EdmType::kBinary);
  std::construct_at(&value.bytes_, bytes);
  return value;
}

std::string_view Value::string() const {
  assert(type_ == EdmType::kString);
  return bytes_;
}

std::int32_t Value::int32() const {
  assert(type_ == EdmType::kInt32);
  return static_cast<std::int32_t>(int64_);
}

std::int64_t Value::int64() const {
  assert(type_ == EdmType::kInt64);
  return int64_;
}

double Value::real() const {
  assert(type_ == EdmType::kDouble);
  return double_;
}

bool Value::boolean() const {
  assert(type_ == EdmType::kBoolean);
  return int64_ != 0;
}

DateTime Value::date_time() const {
  assert(type_ == EdmType::kDateTime);
  return DateTime{int64_};
}

const entitable::Guid& Value::guid() const {
  assert(type_ == EdmType::kGuid);
  return guid_;
}

std::string_view Value::binary() const {
  assert(type_ == EdmType::kBinary);
  return bytes_;
}

}  // namespace entitable
