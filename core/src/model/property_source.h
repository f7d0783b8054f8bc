// property_source.h - the interface of a row that a filter tests.

#ifndef ENTITABLE_MODEL_PROPERTY_SOURCE_H_
#define ENTITABLE_MODEL_PROPERTY_SOURCE_H_

#include <cstddef>
#include <optional>
#include <span>

#include "base/key_table.h"
#include "model/value.h"

namespace entitable {

// An entity, or a row of the catalogue, as named values.  System properties are
// included.
class PropertySource {
 public:
  // For each name, sets the value if the row has it.  `values` has one element
  // per name, and all must be empty before.  Names are case-sensitive.  Works
  // in one pass and returns how many properties it visited.
  virtual std::size_t FindAll(const KeyTable& names,
                              std::span<std::optional<Value>> values) const = 0;

 protected:
  ~PropertySource() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PROPERTY_SOURCE_H_
