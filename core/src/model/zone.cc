#include "model/zone.h"

namespace entitable {

std::optional<Zone> FindZone(const PropertyList& zones, std::string_view name) {
  PropertyCursor cursor(zones);
  while (true) {
    // Values are only made of those that are wanted.
    PropertyCursor pair = cursor;
    const auto packed = cursor.NextPacked();
    if (!packed || !cursor.NextPacked()) return std::nullopt;
    if (packed->name != name) continue;
    const auto least = pair.Next();
    return Zone{least->value, pair.Next()->value};
  }
}

}  // namespace entitable
