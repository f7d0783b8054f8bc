// key_range.h - a contiguous range of entities in key order.

#ifndef ENTITABLE_MODEL_KEY_RANGE_H_
#define ENTITABLE_MODEL_KEY_RANGE_H_

#include <optional>

#include "model/entity_key.h"

namespace entitable {

// A position between two entities.
struct KeyBound {
  EntityKey key;
  bool after;  // True: directly after the key.  False: directly before it.
};

// All entities between two positions.  Without a lower bound, from the first
// entity on; without an upper bound, up to the last.
struct KeyRange {
  std::optional<KeyBound> lower;
  std::optional<KeyBound> upper;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_KEY_RANGE_H_
