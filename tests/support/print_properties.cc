#include "support/print_properties.h"

#include <cstdio>
#include <string_view>
#include <variant>

namespace entitable {
namespace {

std::string Hex(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x",
                  static_cast<unsigned char>(byte));
    hex += digits;
  }
  return hex;
}

std::string Digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

std::string Print(TableId table, const EntityKey& key) {
  return std::to_string(table) + " (" + key.partition_key + "," + key.row_key +
         ")";
}

std::string Print(Origin origin) {
  return origin == Origin::kRemote ? "remote " : "";
}

struct ChangePrinter {
  std::string operator()(const TableCreated& change) const {
    return "create " + std::to_string(change.table) + " " + change.name;
  }
  std::string operator()(const TableDropped& change) const {
    return "drop " + std::to_string(change.table) + " " + change.name;
  }
  std::string operator()(const EntityPut& change) const {
    return Print(change.origin) + "put " + Print(change.table, change.key) +
           " @" + std::to_string(change.entity.timestamp.ticks) + " " +
           entitable::Print(change.entity.properties);
  }
  std::string operator()(const EntityDeleted& change) const {
    return Print(change.origin) + "delete " + Print(change.table, change.key);
  }
  std::string operator()(const RangeLoaded& change) const {
    return "load " + Print(change.table, change.first) + " to " +
           Print(change.table, change.last) + ", " +
           std::to_string(change.count);
  }
};

}  // namespace

std::string Print(const Value& value) {
  switch (value.type()) {
    case EdmType::kString:
      return std::string(value.string());
    case EdmType::kInt32:
      return std::to_string(value.int32());
    case EdmType::kInt64:
      return std::to_string(value.int64());
    case EdmType::kDouble:
      return Digits(value.real());
    case EdmType::kBoolean:
      return value.boolean() ? "true" : "false";
    case EdmType::kDateTime:
      return value.date_time().ToString();
    case EdmType::kGuid:
      return value.guid().ToString();
    case EdmType::kBinary:
      return Hex(value.binary());
  }
  return "?";
}

std::string Print(const PropertyList& properties) {
  std::string text;
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    if (!text.empty()) text += ' ';
    text.append(property->name).append(":");
    text.append(EdmTypeName(property->value.type())).append("=");
    text += Print(property->value);
  }
  return text;
}

std::string Print(const Change& change) {
  return std::visit(ChangePrinter{}, change);
}

}  // namespace entitable
