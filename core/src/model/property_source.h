// property_source.h - what a filter needs of the thing that it tests.

#ifndef ENTITABLE_MODEL_PROPERTY_SOURCE_H_
#define ENTITABLE_MODEL_PROPERTY_SOURCE_H_

#include <optional>
#include <string_view>

#include "model/value.h"

namespace entitable {

// An entity, or a row of the list of tables, seen as named values, the system
// properties among them.  The query side knows no more of either.
class PropertySource {
 public:
  // Nothing when the property is missing.  Names are case-sensitive.
  virtual std::optional<Value> Find(std::string_view name) const = 0;

 protected:
  ~PropertySource() = default;
};

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PROPERTY_SOURCE_H_
