#include "model/zone.h"

namespace entitable {

std::optional<Zone> FindZone(const PropertyList& zones, std::string_view name) {
  PropertyCursor cursor(zones);
  while (const auto least = cursor.Next()) {
    const auto greatest = cursor.Next();
    if (!greatest) break;
    if (least->name == name) return Zone{least->value, greatest->value};
  }
  return std::nullopt;
}

}  // namespace entitable
