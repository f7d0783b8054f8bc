// entity.h - the properties of an entity in packed form, and its timestamp.

#ifndef ENTITABLE_MODEL_ENTITY_H_
#define ENTITABLE_MODEL_ENTITY_H_

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/coding.h"
#include "base/date_time.h"
#include "base/key_table.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "model/report.h"
#include "model/value.h"

namespace entitable {

// The interface of a row that a filter tests.

// An entity, or a row of the catalogue, as named values.  System properties are
// included.
class PropertySource {
 public:
  // For each name, sets the value if the row has it.  `values` has one element
  // per name, and all must be empty before.  Names are case-sensitive.  Works
  // in one pass and returns how many properties it visited.
  virtual std::size_t FindAll(const KeyTable& names,
                              std::span<std::optional<Value>> values) const = 0;

 protected:
  ~PropertySource() = default;
};

// ---------------------------------------------------------------------- entity

// A view into the list that it comes from.
struct Property {
  std::string_view name;
  Value value;
};

// The same, with the value in packed form; a text comes without its length.
struct PackedProperty {
  EdmType type;
  std::string_view name;
  std::string_view value;
  std::string_view bytes;  // The whole property, as in the list.
};

// Room for the packed form of any value that is not a text.
using PackingRoom = std::array<char, 16>;

// The packed form of a value; a text comes without its length.  The result is a
// view of the text or of `room`.
std::string_view Pack(const Value& value, PackingRoom& room);

// The custom properties of an entity in their order, as one string of bytes.
// Memory, the log and every copy in between use this form.
//
//   list     = { property }
//   property = type:u8 name:text value
//   value    = text             String, Binary
//            | u32 | u64        Int32 | Int64, DateTime ticks, Double bits
//            | u8 | 16 bytes    Boolean (0, 1) | Guid
class PropertyList {
 public:
  PropertyList() = default;

  // Nothing if the bytes do not follow the grammar.
  static std::optional<PropertyList> FromBytes(std::string_view bytes);

  // The number of properties.  Nothing if the bytes do not follow the grammar.
  static std::optional<std::size_t> CountIn(std::string_view bytes);

  // Reserves memory for a list of this many bytes.
  void Reserve(std::size_t size) { bytes_.reserve(size); }

  // Makes the list empty, but keeps its memory.
  void Clear();

  // The caller must ensure that names are valid and unique.
  void Append(std::string_view name, const Value& value);
  void Append(const PackedProperty& property);

  std::optional<Value> Find(std::string_view name) const;

  std::size_t count() const { return count_; }
  std::string_view bytes() const { return bytes_; }

  bool operator==(const PropertyList&) const = default;

 private:
  std::string bytes_;
  std::size_t count_ = 0;
};

// Goes through a list from its start:
//   for (PropertyCursor cursor(list); auto property = cursor.Next();) ...
class PropertyCursor {
 public:
  explicit PropertyCursor(const PropertyList& list) : bytes_(list.bytes()) {}

  // Takes the bytes of a list.
  explicit PropertyCursor(std::string_view bytes) : bytes_(bytes) {}

  // Nothing at the end.
  std::optional<Property> Next();
  std::optional<PackedProperty> NextPacked();

 private:
  Decoder bytes_;
};

// Takes a value of the list.  The decoder fails if the bytes are invalid.
Value ReadPackedValue(EdmType type, Decoder& bytes);

// Finds a property in the bytes of a list.
std::optional<Value> FindProperty(std::string_view list, std::string_view name);

// In the ordinal order of names, which the service returns after an update, a
// merge or an upsert.  Source: data model, 1.3.1.
PropertyList SortedByName(const PropertyList& list);

// The properties of both lists, sorted by name.  `patch` wins if both have a
// property.  `base` has the bytes of a list.
PropertyList MergedByName(std::string_view base, const PropertyList& patch);

// For writes that keep Doubles (entitable/operation.h).  `typed` has the names
// of the Int32 values that were given with their type, as texts.

// Whether the list has any other Int32 value.
bool HasPlainNumbers(const PropertyList& list, std::string_view typed);

// The list with those values as Doubles that are Doubles in `stored`, the bytes
// of a list.
PropertyList WithStoredDoubles(const PropertyList& list, std::string_view typed,
                               std::string_view stored);

// All properties but one, of a list that is given as bytes.
PropertyList Without(std::string_view list, std::string_view name);

// In bytes, by the published formula.  Source: data model, 1.4.
std::size_t EntitySize(EntityKeyView key, const PropertyList& properties);

// These report TooManyProperties and EntityTooLarge.  Each returns whether
// further checks should run.
bool CheckPropertyCount(std::size_t count, Report& report);
bool CheckEntitySize(EntityKeyView key, const PropertyList& properties,
                     Report& report);

// Fails with the first of these errors.
Result<void> CheckEntityLimits(EntityKeyView key,
                               const PropertyList& properties);

// An entity as it is stored under its key.
struct Entity {
  DateTime timestamp;
  PropertyList properties;
};

// The same, with the properties' bytes elsewhere.
struct EntityView {
  DateTime timestamp{};
  std::string_view properties;

  EntityView() = default;
  EntityView(DateTime at, std::string_view bytes)
      : timestamp(at), properties(bytes) {}
  EntityView(const Entity& entity)  // NOLINT: meant to be silent.
      : EntityView(entity.timestamp, entity.properties.bytes()) {}
};

// A key and an entity together, as a filter sees them.
class EntityRow final : public PropertySource {
 public:
  EntityRow(EntityKeyView key, const EntityView& entity)
      : key_(key), entity_(entity) {}

  std::size_t FindAll(const KeyTable& names,
                      std::span<std::optional<Value>> values) const override;

 private:
  EntityKeyView key_;
  EntityView entity_;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ENTITY_H_
