// pruning.h - what a filter says of a page that nobody has read.

#ifndef ENTITABLE_QUERY_PRUNING_H_
#define ENTITABLE_QUERY_PRUNING_H_

#include "model/entity.h"
#include "model/row_filter.h"
#include "query/conditions.h"

namespace entitable {

// Zones: model/zone.h.
PageMatch PruneByZoneMap(const Conditions& conditions,
                         const PropertyList& zone_map);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PRUNING_H_
