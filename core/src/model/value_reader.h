// value_reader.h - typed values from members of a body.

#ifndef ENTITABLE_MODEL_VALUE_READER_H_
#define ENTITABLE_MODEL_VALUE_READER_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "model/report.h"
#include "model/value.h"

namespace entitable {

// The value of a member that is neither null nor of a kind that no request may
// hold.  `annotation` is the member that names its type, or null where the JSON
// alone tells; `bytes` keeps what a Binary is a view of.  Nothing when there is
// no such value, and then the report says why: InvalidInput, or OutOfRangeInput
// for a date before 1601.  Source: data model, 1.5.1 and 1.5.2.
std::optional<Value> ReadValue(const JsonMember& member,
                               const JsonMember* annotation, std::string& bytes,
                               Report& report);

// PropertyValueTooLarge.  Returns whether the checks go on.
bool CheckValueLength(std::string_view name, const Value& value,
                      Report& report);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_VALUE_READER_H_
