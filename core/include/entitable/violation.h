// violation.h - a broken rule in a form that programs can use.

#ifndef ENTITABLE_VIOLATION_H_
#define ENTITABLE_VIOLATION_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "entitable/error.h"

namespace entitable {

// X(name, code).  The codes are ours and never change: programs use them to
// look up their own texts.  js/src/base/issue.ts has these and two of its
// own; a test compares the two.  In brackets: the parameters of a violation.
#define ENTITABLE_RULES(X)                                                     \
  /* The body, or the value at the path, is nothing that JSON allows: syntax,  \
     a lone surrogate, invalid UTF-8, a number beyond a double. */             \
  X(Json, "json")                                                              \
  /* The body is too long, in bytes. [limit, actual] */                        \
  X(BodySize, "body-size")                                                     \
  /* An object or array, or JSON of a kind that the type does not take. */     \
  X(ValueType, "value-type")                                                   \
  /* The annotation names none of the eight types. */                          \
  X(TypeName, "type-name")                                                     \
  /* The member is there more than once. */                                    \
  X(PropertyDuplicate, "property-duplicate")                                   \
  /* 1 to 255 UTF-16 units. [limit, actual] */                                 \
  X(PropertyNameLength, "property-name-length")                                \
  /* A C# identifier and an XML name. [position, character] */                 \
  X(PropertyNameCharacter, "property-name-character")                          \
  /* Never from the core: a host whose API has the name for a system property, \
     as JavaScript has `etag`. */                                              \
  X(PropertyNameReserved, "property-name-reserved")                            \
  /* Custom properties that are not null. [limit, actual] */                   \
  X(PropertyCount, "property-count")                                           \
  X(KeyMissing, "key-missing")                                                 \
  /* A key is a String. */                                                     \
  X(KeyType, "key-type")                                                       \
  /* [position, character] */                                                  \
  X(KeyCharacter, "key-character")                                             \
  /* In UTF-16 units. [limit, actual] */                                       \
  X(KeyLength, "key-length")                                                   \
  /* Not the text of such a value, or not a value of the type. */              \
  X(Int32Format, "int32-format")                                               \
  X(Int32Range, "int32-range")                                                 \
  X(Int64Format, "int64-format")                                               \
  X(Int64Range, "int64-range")                                                 \
  X(DoubleFormat, "double-format")                                             \
  X(DoubleRange, "double-range")                                               \
  X(BooleanFormat, "boolean-format")                                           \
  X(DateTimeFormat, "date-time-format")                                        \
  X(DateTimeRange, "date-time-range")                                          \
  X(GuidFormat, "guid-format")                                                 \
  X(Base64, "base64")                                                          \
  /* In UTF-16 units. [limit, actual] */                                       \
  X(StringLength, "string-length")                                             \
  /* In bytes. [limit, actual] */                                              \
  X(BinaryLength, "binary-length")                                             \
  /* In bytes, by the published formula, over all values that can be read.     \
     [limit, actual] */                                                        \
  X(EntitySize, "entity-size")                                                 \
  /* ASCII letters and digits, a letter first. [position, character] */        \
  X(TableNameCharacter, "table-name-character")                                \
  /* 3 to 63 UTF-16 units. [limit, actual] */                                  \
  X(TableNameLength, "table-name-length")                                      \
  /* `tables` in any case. */                                                  \
  X(TableNameReserved, "table-name-reserved")                                  \
  /* A name or key that is not well-formed Unicode: not checked further. */    \
  X(TextEncoding, "text-encoding")                                             \
  /* Rules of the schema of a table, which the service does not have.  The     \
     last ten are in the order of their numbers in a schema. */                \
  X(SchemaRequired, "schema-required")                                         \
  X(SchemaType, "schema-type")                                                 \
  X(SchemaUnknown, "schema-unknown")                                           \
  /* In UTF-16 units. [limit, actual] */                                       \
  X(SchemaMinLength, "schema-min-length")                                      \
  X(SchemaMaxLength, "schema-max-length")                                      \
  /* [limit, actual] */                                                        \
  X(SchemaMinBytes, "schema-min-bytes")                                        \
  X(SchemaMaxBytes, "schema-max-bytes")                                        \
  X(SchemaMinimum, "schema-minimum")                                           \
  X(SchemaMaximum, "schema-maximum")                                           \
  X(SchemaExclusiveMinimum, "schema-exclusive-minimum")                        \
  X(SchemaExclusiveMaximum, "schema-exclusive-maximum")                        \
  X(SchemaMultipleOf, "schema-multiple-of")                                    \
  X(SchemaEnum, "schema-enum")

enum class Rule : std::uint8_t {
#define ENTITABLE_X(name, code) k##name,
  ENTITABLE_RULES(ENTITABLE_X)
#undef ENTITABLE_X
};

// For example "property-name-length".
std::string_view RuleName(Rule rule);

struct Violation {
  Rule rule;

  // The service's answer to a request that breaks this rule first.
  ErrorCode code;
  std::string message;

  // The member of the body: "Age", "RowKey".  Empty if the rule is about the
  // whole body, or about a name or key that was checked alone.
  std::optional<std::string> path = std::nullopt;

  // The nearest allowed length, count or size, and the actual one.
  std::optional<std::size_t> limit = std::nullopt;
  std::optional<std::size_t> actual = std::nullopt;

  // The first invalid character, and its position in UTF-16 units from 0.
  std::optional<std::size_t> position = std::nullopt;
  std::string character = {};
};

// Which of two documented limits for keys applies.
enum class Profile : std::uint8_t {
  // 1,024 UTF-16 units, according to the newest documentation.
  kDefault,
  // 1 KiB (512 units), according to older documentation.  Every service accepts
  // entities that are stored under this profile.
  kService,
};

}  // namespace entitable

#endif  // ENTITABLE_VIOLATION_H_
