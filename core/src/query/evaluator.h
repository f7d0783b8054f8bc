// evaluator.h - the last stage of a filter: is it true of this entity?

#ifndef ENTITABLE_QUERY_EVALUATOR_H_
#define ENTITABLE_QUERY_EVALUATOR_H_

#include "model/property_source.h"
#include "query/filter.h"

namespace entitable {

// Asks for no property that the answer does not depend on, from left to right.
bool Matches(const Filter& filter, const PropertySource& properties);

}  // namespace entitable

#endif  // ENTITABLE_QUERY_EVALUATOR_H_
