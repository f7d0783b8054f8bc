// zone.h - between which values a property of a page lies.
//
// The zones of a page are a PropertyList of pairs: the least value under the
// name of the property, then the greatest without a name.  A property has a
// zone when all its values are of one type that has an order; which ones there
// is room for is up to who writes them, so one without a zone may be anything.

#ifndef ENTITABLE_MODEL_ZONE_H_
#define ENTITABLE_MODEL_ZONE_H_

#include <optional>
#include <string_view>

#include "model/entity.h"
#include "model/value.h"

namespace entitable {

// No value lies outside.  Of texts both are beginnings: any text that begins
// with the greatest is inside, too.  Entities may lack the property.
struct Zone {
  Value least;
  Value greatest;
};

// Nothing when the property has none.  It looks at the list.
std::optional<Zone> FindZone(const PropertyList& zones, std::string_view name);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ZONE_H_
