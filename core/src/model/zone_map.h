// zone_map.h - between which values a property of a page lies.
//
// The zones of a page are a PropertyList of pairs: the least value under the
// name of the property, then the greatest without a name.  A property has a
// zone when all its values are of one type that has an order; which ones there
// is room for is up to who writes them, so one without a zone may be anything.

#ifndef ENTITABLE_MODEL_ZONE_MAP_H_
#define ENTITABLE_MODEL_ZONE_MAP_H_

#include "model/entity.h"
#include "model/value.h"

namespace entitable {

// No value lies outside.  Of texts both are beginnings: any text that begins
// with the greatest is inside, too.  Entities may lack the property.
struct ZoneBounds {
  Value least;
  Value greatest;
};

// Calls see(name, bounds_of) for each property that has one, where bounds_of()
// makes the zone: it looks at the list.
template <typename See>
void ForEachZoneBounds(const PropertyList& zone_map, See see) {
  PropertyCursor cursor(zone_map);
  while (true) {
    PropertyCursor pair = cursor;
    const auto packed = cursor.NextPacked();
    if (!packed || !cursor.NextPacked()) return;
    see(packed->name, [&pair] {
      const auto least = pair.Next();
      return ZoneBounds{least->value, pair.Next()->value};
    });
  }
}

}  // namespace entitable

#endif  // ENTITABLE_MODEL_ZONE_MAP_H_
