#include "support/naive_rows.h"

#include <string>

namespace entitable {
namespace {

void AppendTo(PropertyList& list, const std::string& name,
              const naive::Value& value) {
  using Type = naive::Value::Type;
  switch (value.type) {
    case Type::kString:
      return list.Append(name, Value::String(value.text));
    case Type::kInt32:
      return list.Append(
          name, Value::Int32(static_cast<std::int32_t>(value.integer)));
    case Type::kInt64:
      return list.Append(name, Value::Int64(value.integer));
    case Type::kDouble:
      return list.Append(name, Value::Double(value.real));
    case Type::kBoolean:
      return list.Append(name, Value::Boolean(value.integer != 0));
    case Type::kDateTime:
      return list.Append(
          name, Value::OfDateTime({kMinDateTime.ticks + value.integer}));
    case Type::kGuid:
      return list.Append(name, Value::OfGuid(*Guid::Parse(value.text)));
    case Type::kBinary:
      return list.Append(name, Value::Binary(value.text));
  }
}

}  // namespace

Entity EntityOf(const naive::Entity& entity) {
  Entity made{};
  for (const auto& [name, value] : entity) {
    if (name == "Timestamp") {
      made.timestamp = {kMinDateTime.ticks + value.integer};
    } else if (!name.ends_with("Key")) {
      AppendTo(made.properties, name, value);
    }
  }
  return made;
}

EntityKeyView KeyOf(const naive::Entity& entity) {
  return {entity.at("PartitionKey").text, entity.at("RowKey").text};
}

}  // namespace entitable
