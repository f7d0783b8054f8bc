// key_range.h - a contiguous range of entities in key order.

#ifndef ENTITABLE_MODEL_KEY_RANGE_H_
#define ENTITABLE_MODEL_KEY_RANGE_H_

#include <compare>
#include <optional>
#include <string_view>

#include "model/entity_key.h"

namespace entitable {

// A position between two entities.
struct KeyBound {
  EntityKey key;
  bool after;  // True: directly after the key.  False: directly before it.

  std::strong_ordering operator<=>(const KeyBound& other) const;
  bool operator==(const KeyBound& other) const = default;
};

KeyBound StartOfPartition(std::string_view partition);

// The position before (p + U+0000, ""): no string lies between p and p +
// U+0000, and no key contains U+0000.
KeyBound EndOfPartition(std::string_view partition);

// All entities between two positions.  Without a lower bound, from the first
// entity on; without an upper bound, up to the last.
struct KeyRange {
  std::optional<KeyBound> lower;
  std::optional<KeyBound> upper;

  bool is_empty() const { return lower && upper && *lower >= *upper; }
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_KEY_RANGE_H_
