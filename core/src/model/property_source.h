// property_source.h - what a filter needs of the thing that it tests.

#ifndef ENTITABLE_MODEL_PROPERTY_SOURCE_H_
#define ENTITABLE_MODEL_PROPERTY_SOURCE_H_

#include <cstddef>
#include <optional>
#include <span>

#include "base/key_table.h"
#include "model/value.h"

namespace entitable {

// An entity, or a row of the list of tables, seen as named values, the system
// properties among them.  The query side knows no more of either.
class PropertySource {
 public:
  // Sets the value of each of the names that it has; `values` has one for each,
  // and all are nothing.  Names are case-sensitive.  In one pass; returns how
  // many properties that went over.
  virtual std::size_t FindAll(const KeyTable& names,
                              std::span<std::optional<Value>> values) const = 0;

 protected:
  ~PropertySource() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PROPERTY_SOURCE_H_
