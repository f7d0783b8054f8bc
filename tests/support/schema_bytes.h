// schema_bytes.h - schemas as bytes: docs/internals/file-format.md, "Schemas".

#ifndef ENTITABLE_TESTS_SUPPORT_SCHEMA_BYTES_H_
#define ENTITABLE_TESTS_SUPPORT_SCHEMA_BYTES_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "base/coding.h"
#include "model/entity.h"
#include "model/value.h"
#include "support/operations.h"

namespace entitable {

// The value in packed form: a property without its type and its empty name.
inline std::string Packed(const Value& value) {
  PropertyList list;
  list.Append("", value);
  return std::string(list.bytes().substr(2));
}

inline std::string LengthRule(std::uint8_t kind, std::uint64_t length) {
  std::string rule(1, static_cast<char>(kind));
  AppendVarint(length, rule);
  return rule;
}
inline std::string MinLength(std::uint64_t n) { return LengthRule(1, n); }
inline std::string MaxLength(std::uint64_t n) { return LengthRule(2, n); }
inline std::string MinBytes(std::uint64_t n) { return LengthRule(3, n); }
inline std::string MaxBytes(std::uint64_t n) { return LengthRule(4, n); }

inline std::string ValueRule(std::uint8_t kind, const Value& value) {
  return std::string(1, static_cast<char>(kind)) + Packed(value);
}
inline std::string Minimum(const Value& n) { return ValueRule(5, n); }
inline std::string Maximum(const Value& n) { return ValueRule(6, n); }
inline std::string ExclusiveMinimum(const Value& n) { return ValueRule(7, n); }
inline std::string ExclusiveMaximum(const Value& n) { return ValueRule(8, n); }
inline std::string MultipleOf(const Value& n) { return ValueRule(9, n); }

inline std::string Enum(std::initializer_list<Value> values) {
  std::string rule = LengthRule(10, values.size());
  for (const Value& value : values) rule += Packed(value);
  return rule;
}

inline std::string Required(std::string_view name, EdmType type,
                            std::initializer_list<std::string> rules = {},
                            std::uint8_t flags = 0) {
  std::string property;
  AppendText(name, property);
  AppendU8(static_cast<std::uint8_t>(type), property);
  AppendU8(flags, property);
  AppendU8(static_cast<std::uint8_t>(rules.size()), property);
  for (const std::string& rule : rules) property += rule;
  return property;
}

inline std::string Optional(std::string_view name, EdmType type,
                            std::initializer_list<std::string> rules = {}) {
  return Required(name, type, rules, 1);
}

inline std::string SchemaBytes(std::initializer_list<std::string> properties,
                               bool rejects_unknown = false) {
  std::string schema{'\2', rejects_unknown ? '\1' : '\0'};
  for (const std::string& property : properties) schema += property;
  return schema;
}

inline OwnedOperation WithSchema(std::string schema, OwnedOperation operation) {
  operation.schema = std::move(schema);
  return operation;
}

inline OwnedOperation Enforce(std::string table, std::string schema) {
  return WithSchema(std::move(schema), {OperationKind::kSetTableSchema, table});
}

inline OwnedOperation FindSchema(std::string table) {
  return {OperationKind::kGetTableSchema, std::move(table)};
}

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_SCHEMA_BYTES_H_
