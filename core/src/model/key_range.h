// key_range.h - a run of entities in key order, as a plan names it.

#ifndef ENTITABLE_MODEL_KEY_RANGE_H_
#define ENTITABLE_MODEL_KEY_RANGE_H_

#include <optional>

#include "model/entity_key.h"

namespace entitable {

// A place between two entities.
struct KeyBound {
  EntityKey key;
  bool after;  // Just after the key, or else just before it.
};

// All entities between two places.  No lower bound means from the first entity
// on; no upper bound means to the last.
struct KeyRange {
  std::optional<KeyBound> lower;
  std::optional<KeyBound> upper;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_KEY_RANGE_H_
