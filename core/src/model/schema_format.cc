#include "model/schema_format.h"

#include <cmath>
#include <cstddef>
#include <vector>

#include "base/hash_index.h"
#include "base/utf.h"
#include "model/entity.h"
#include "model/limits.h"
#include "model/names.h"
#include "model/report.h"

namespace entitable {
namespace {

// Whether the name, the type and the flags are valid.
bool IsSound(const DeclaredProperty& declared) {
  const auto& [name, type, flags, rules] = declared;
  const bool is_type = type >= EdmType::kString && type <= EdmType::kBinary;
  const std::uint8_t most =
      DeclaredProperty::kOptional |
      (type == EdmType::kDouble ? DeclaredProperty::kFinite : 0);
  if (!is_type || flags > most || !IsValidUtf8(name)) return false;
  if (IsKeyName(name)) return type == EdmType::kString && flags == 0;
  Report report;
  return name != "Timestamp" && CheckPropertyName(name, {}, report) &&
         report.is_clean();
}

// Whether a value may be the limit of a rule.
bool IsLimit(SchemaRule rule, const Value& value) {
  const bool is_divisor = rule == SchemaRule::kMultipleOf;
  switch (value.type()) {
    case EdmType::kInt32:
      return !is_divisor || value.int32() > 0;
    case EdmType::kInt64:
      return !is_divisor || value.int64() > 0;
    case EdmType::kDouble:
      return is_divisor ? value.real() > 0 && std::isfinite(value.real())
                        : !std::isnan(value.real());
    case EdmType::kDateTime:
      return !is_divisor;
    default:
      return false;
  }
}

// Takes a rule, and returns whether it is valid for the type.
bool ReadSoundRule(EdmType type, Decoder& bytes) {
  const auto rule = static_cast<SchemaRule>(bytes.ReadU8());
  switch (rule) {
    case SchemaRule::kMinLength:
    case SchemaRule::kMaxLength:
      return type == EdmType::kString && bytes.ReadVarint() <= UINT32_MAX;
    case SchemaRule::kMinBytes:
    case SchemaRule::kMaxBytes:
      return type == EdmType::kBinary && bytes.ReadVarint() <= UINT32_MAX;
    case SchemaRule::kMinimum:
    case SchemaRule::kMaximum:
    case SchemaRule::kExclusiveMinimum:
    case SchemaRule::kExclusiveMaximum:
    case SchemaRule::kMultipleOf:
      return IsLimit(rule, ReadPackedValue(type, bytes));
    case SchemaRule::kEnum:
      for (auto n = bytes.ReadVarint(); n > 0 && !bytes.failed(); --n) {
        const Value value = ReadPackedValue(type, bytes);
        if (type == EdmType::kString && !IsValidUtf8(value.string())) {
          return false;
        }
      }
      return true;
  }
  return false;
}

// Whether the rest of a schema follows the grammar, and no name occurs twice.
// One pass over untrusted bytes, at most 64 KiB of them.  Every count is that
// of things that follow and take a byte each, and a failed decoder ends the
// loops, so no count makes the pass longer than the bytes.
bool AreSound(Decoder bytes) {
  HashIndex index;
  std::vector<std::string_view> names;
  while (!bytes.at_end()) {
    const DeclaredProperty declared = ReadDeclared(bytes);
    const std::uint32_t hash = index.HashOf(declared.name);
    auto probe = index.Begin(hash);
    for (std::size_t i; (i = index.Next(probe)) != HashIndex::kNone;) {
      if (names[i] == declared.name) return false;
    }
    index.Add(hash);
    names.push_back(declared.name);
    if (!IsSound(declared)) return false;
    for (std::uint8_t n = declared.rules; n > 0; --n) {
      if (!ReadSoundRule(declared.type, bytes)) return false;
    }
    if (bytes.failed()) return false;
  }
  return true;
}

}  // namespace

bool IsKeyName(std::string_view name) {
  return name == "PartitionKey" || name == "RowKey";
}

DeclaredProperty ReadDeclared(Decoder& bytes) {
  DeclaredProperty declared;
  declared.name = bytes.ReadText();
  declared.type = static_cast<EdmType>(bytes.ReadU8());
  declared.flags = bytes.ReadU8();
  declared.rules = bytes.ReadU8();
  return declared;
}

SchemaHead ReadSchemaHead(Decoder& bytes) {
  bytes.ReadU8();
  SchemaHead head{.flags = bytes.ReadU8()};
  if ((head.flags & kKnowsVersion) != 0) {
    head.known_version = bytes.ReadVarint();
    head.version_property = bytes.ReadText();
  }
  return head;
}

bool IsSchema(std::string_view bytes) {
  const std::uint8_t version =
      bytes.empty() ? 0 : static_cast<std::uint8_t>(bytes.front());
  if (version == 0 || version > kSchemaVersion ||
      bytes.size() > kMaxSchemaBytes) {
    return false;
  }
  Decoder rest(bytes);
  return ReadSchemaHead(rest).flags <= (kRejectUnknown | kKnowsVersion) &&
         !rest.failed() && AreSound(rest);
}

}  // namespace entitable
