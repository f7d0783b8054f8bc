// schema_format.h - the bytes of a schema.  docs/internals/file-format.md,
// "Schemas", has the grammar.

#ifndef ENTITABLE_MODEL_SCHEMA_FORMAT_H_
#define ENTITABLE_MODEL_SCHEMA_FORMAT_H_

#include <cstdint>
#include <string_view>

#include "base/coding.h"
#include "model/value.h"

namespace entitable {

// The last version that this code reads.  Version 1 has no finite Doubles.
inline constexpr std::uint8_t kSchemaVersion = 2;

// Bits of the second byte.  Only declared properties are allowed.
inline constexpr std::uint8_t kRejectUnknown = 1;
// A row may be of a later version of the schema.
inline constexpr std::uint8_t kKnowsVersion = 2;

// Schemas contain these numbers: never change one.
enum class SchemaRule : std::uint8_t {
  kMinLength = 1,
  kMaxLength = 2,
  kMinBytes = 3,
  kMaxBytes = 4,
  kMinimum = 5,
  kMaximum = 6,
  kExclusiveMinimum = 7,
  kExclusiveMaximum = 8,
  kMultipleOf = 9,
  kEnum = 10,
};

// A property of the schema; its rules follow.
struct DeclaredProperty {
  static constexpr std::uint8_t kOptional = 1;
  // A Double: neither NaN nor infinite.
  static constexpr std::uint8_t kFinite = 2;

  std::string_view name;
  EdmType type;
  std::uint8_t flags;
  std::uint8_t rules;  // How many rules follow.

  bool is_optional() const { return (flags & kOptional) != 0; }
  bool is_finite() const { return (flags & kFinite) != 0; }
};

DeclaredProperty ReadDeclared(Decoder& bytes);

// What precedes the properties of a schema.
struct SchemaHead {
  std::uint8_t flags;

  // Only with kKnowsVersion: the latest version of rows that the schema knows,
  // and the property that has the version of a row.  A row without it has
  // version 1.
  std::uint64_t known_version = 0;
  std::string_view version_property = {};
};

SchemaHead ReadSchemaHead(Decoder& bytes);

// Whether the bytes follow the grammar.  The bytes may be anything.
bool IsSchema(std::string_view bytes);

// Whether it is the name of a key.  Every schema allows the keys.
bool IsKeyName(std::string_view name);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_SCHEMA_FORMAT_H_
