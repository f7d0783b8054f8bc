// zone_map.h - the least and greatest values of the properties of a page.
//
// A zone map is a PropertyList of pairs: the least value under the property's
// name, then the greatest value with an empty name.  It can contain a property
// if all its values in the page have the same type and that type has an order.
// The writer decides which properties fit.  So a property that is not in the
// zone map may have any values.

#ifndef ENTITABLE_MODEL_ZONE_MAP_H_
#define ENTITABLE_MODEL_ZONE_MAP_H_

#include "model/entity.h"
#include "model/value.h"

namespace entitable {

// No value lies outside these bounds.  For texts, both are prefixes: any text
// that begins with `greatest` is inside, too.  Some entities may not have the
// property.
struct ZoneBounds {
  Value least;
  Value greatest;
};

// Calls see(name, bounds_of) for each property in the zone map. bounds_of(),
// called once, returns its bounds as a view of the list.
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
