// pruning.h - decides from a zone map whether the rows of a page can match a
// filter, so that pages without matches are not read.

#ifndef ENTITABLE_QUERY_PRUNING_H_
#define ENTITABLE_QUERY_PRUNING_H_

#include "model/entity.h"
#include "model/row_filter.h"
#include "query/conditions.h"

namespace entitable {

// See model/zone_map.h.
PageMatch PruneByZoneMap(const Conditions& conditions,
                         const PropertyList& zone_map);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_PRUNING_H_
