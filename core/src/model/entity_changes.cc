// entity_changes.cc - the functions of entity.h that make another list of
// properties.  They run once a write, so they are not compiled for speed,
// unlike the others.  They copy properties in packed form.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/utf.h"
#include "model/entity.h"

namespace entitable {
namespace {

// Most entities have at most so many properties.
constexpr std::size_t kUsualCount = 8;

// With room for those of another list.
std::vector<PackedProperty> PropertiesOf(const PropertyList& list) {
  std::vector<PackedProperty> properties;
  properties.reserve(list.count() + kUsualCount);
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    properties.push_back(*property);
  }
  return properties;
}

bool Precedes(std::string_view name, std::string_view other) {
  return CompareUtf16(name, other) < 0;
}

// Insertion sort: there are few names, and they are often in order already.
void SortByName(std::vector<PackedProperty>& properties) {
  for (auto at = properties.begin(); at != properties.end(); ++at) {
    if (at == properties.begin() || Precedes(at[-1].name, at->name)) continue;
    const auto place = std::ranges::upper_bound(
        properties.begin(), at, at->name, Precedes, &PackedProperty::name);
    std::rotate(place, at, at + 1);
  }
}

// The properties take at most `bytes` bytes.
PropertyList InOrderOfNames(std::vector<PackedProperty> properties,
                            std::size_t bytes) {
  SortByName(properties);
  PropertyList sorted;
  sorted.Reserve(bytes);
  for (const PackedProperty& property : properties) sorted.Append(property);
  return sorted;
}

bool IsPlainNumber(EdmType type, std::string_view name,
                   std::string_view typed) {
  if (type != EdmType::kInt32) return false;
  for (Decoder names(typed); !names.at_end();) {
    if (names.ReadText() == name) return false;
  }
  return true;
}

bool HasDouble(std::string_view list, std::string_view name) {
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (property->name == name) return property->type == EdmType::kDouble;
  }
  return false;
}

Value AsDouble(const PackedProperty& number) {
  std::int32_t value;
  std::memcpy(&value, number.value.data(), sizeof value);
  return Value::Double(value);
}

}  // namespace

PropertyList SortedByName(const PropertyList& list) {
  return InOrderOfNames(PropertiesOf(list), list.bytes().size());
}

// The patch comes first, so that a property of the base is compared with the
// properties of the patch alone.  Sorting puts both into one order afterwards.
PropertyList MergedByName(std::string_view base, const PropertyList& patch) {
  std::vector<PackedProperty> merged = PropertiesOf(patch);
  const std::size_t patched = merged.size();
  for (PropertyCursor cursor(base); auto property = cursor.NextPacked();) {
    const std::span<const PackedProperty> given(merged.data(), patched);
    const bool is_patched = std::ranges::any_of(
        given, [&](const auto& other) { return other.name == property->name; });
    if (!is_patched) merged.push_back(*property);
  }
  return InOrderOfNames(std::move(merged), base.size() + patch.bytes().size());
}

bool HasPlainNumbers(const PropertyList& list, std::string_view typed) {
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (IsPlainNumber(property->type, property->name, typed)) return true;
  }
  return false;
}

PropertyList WithStoredDoubles(const PropertyList& list, std::string_view typed,
                               std::string_view stored) {
  PropertyList result;
  result.Reserve(list.bytes().size());
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (IsPlainNumber(property->type, property->name, typed) &&
        HasDouble(stored, property->name)) {
      result.Append(property->name, AsDouble(*property));
    } else {
      result.Append(*property);
    }
  }
  return result;
}

PropertyList Without(std::string_view list, std::string_view name) {
  PropertyList others;
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (property->name != name) others.Append(*property);
  }
  return others;
}

}  // namespace entitable
