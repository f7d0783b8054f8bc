// entity_changes.cc - the functions of entity.h that make another list of
// properties.  They run once a write, so they are not compiled for speed,
// unlike the others.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/coding.h"
#include "base/key_table.h"
#include "base/utf.h"
#include "model/entity.h"

namespace entitable {
namespace {

std::vector<Property> PropertiesOf(const PropertyList& list) {
  std::vector<Property> properties;
  properties.reserve(list.count());
  for (PropertyCursor cursor(list); auto property = cursor.Next();) {
    properties.push_back(*property);
  }
  return properties;
}

// Insertion sort: there are few names, and they are often in order already.
void SortByName(std::vector<Property>& properties) {
  for (auto at = properties.begin(); at != properties.end(); ++at) {
    const auto place = std::upper_bound(
        properties.begin(), at, *at, [](const Property& a, const Property& b) {
          return CompareUtf16(a.name, b.name) < 0;
        });
    std::rotate(place, at, at + 1);
  }
}

// The properties take at most `bytes` bytes.
PropertyList InOrderOfNames(std::vector<Property> properties,
                            std::size_t bytes) {
  SortByName(properties);
  PropertyList sorted;
  sorted.Reserve(bytes);
  for (const Property& property : properties) {
    sorted.Append(property.name, property.value);
  }
  return sorted;
}

bool IsPlainNumber(EdmType type, std::string_view name,
                   std::string_view typed) {
  if (type != EdmType::kInt32) return false;
  for (Decoder names(typed); !names.at_end();) {
    if (names.TakeText() == name) return false;
  }
  return true;
}

// The names of the Doubles in a list.
KeyTable DoublesOf(std::string_view list) {
  KeyTable names;
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (property->type == EdmType::kDouble) names.FindOrAdd(property->name);
  }
  return names;
}

}  // namespace

PropertyList SortedByName(const PropertyList& list) {
  return InOrderOfNames(PropertiesOf(list), list.bytes().size());
}

PropertyList MergedByName(std::string_view base, const PropertyList& patch) {
  std::vector<Property> merged = PropertiesOf(patch);
  const std::size_t patched = merged.size();
  for (PropertyCursor cursor(base); auto property = cursor.Next();) {
    const auto end = merged.begin() + static_cast<std::ptrdiff_t>(patched);
    const bool is_patched = std::any_of(
        merged.begin(), end,
        [&](const Property& other) { return other.name == property->name; });
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
  const KeyTable doubles = DoublesOf(stored);
  PropertyList result;
  result.Reserve(list.bytes().size());
  for (PropertyCursor cursor(list); auto property = cursor.Next();) {
    Value& value = property->value;
    if (doubles.Find(property->name) != KeyTable::kNone &&
        IsPlainNumber(value.type(), property->name, typed)) {
      value = Value::Double(value.int32());
    }
    result.Append(property->name, value);
  }
  return result;
}

PropertyList Without(std::string_view list, std::string_view name) {
  PropertyList others;
  for (PropertyCursor cursor(list); auto property = cursor.Next();) {
    if (property->name != name) others.Append(property->name, property->value);
  }
  return others;
}

}  // namespace entitable
