// forecast.h - what a filter says of a page that nobody has read.

#ifndef ENTITABLE_QUERY_FORECAST_H_
#define ENTITABLE_QUERY_FORECAST_H_

#include "model/entity.h"
#include "model/row_filter.h"
#include "query/conditions.h"

namespace entitable {

// Zones: model/zone.h.
Forecast ForecastOf(const Conditions& conditions, const PropertyList& zones);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_FORECAST_H_
