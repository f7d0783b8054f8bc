// value_reader.h - reads typed values from members of a body.

#ifndef ENTITABLE_MODEL_VALUE_READER_H_
#define ENTITABLE_MODEL_VALUE_READER_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "model/report.h"
#include "model/value.h"

namespace entitable {

// Reads a member that is neither null nor forbidden JSON.  `annotation` is the
// member that names the type; null: the JSON alone determines the type.
// `bytes` owns the bytes of a Binary.  If there is no valid value, returns
// nothing and reports InvalidInput, or OutOfRangeInput for a date before 1601.
// Source: data model, 1.5.1 and 1.5.2.
std::optional<Value> ReadValue(const JsonMember& member,
                               const JsonMember* annotation, std::string& bytes,
                               Report& report);

// Reports PropertyValueTooLarge.  Returns whether further checks should run.
bool CheckValueLength(std::string_view name, const Value& value,
                      Report& report);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUE_READER_H_
