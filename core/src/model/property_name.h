// property_name.h - the names that custom properties may have.

#ifndef ENTITABLE_MODEL_PROPERTY_NAME_H_
#define ENTITABLE_MODEL_PROPERTY_NAME_H_

#include <cstddef>
#include <string_view>

#include "entitable/result.h"
#include "model/report.h"

namespace entitable {

// In UTF-16 code units; this length is still allowed.
inline constexpr std::size_t kMaxPropertyNameLength = 255;

// PartitionKey, RowKey and Timestamp.
bool IsSystemName(std::string_view name);

// Reports PropertyNameTooLong, then PropertyNameInvalid.  A valid name is both
// a C# identifier and an XML name without a colon, and not empty.  Each UTF-16
// unit is checked alone, which excludes everything above U+FFFF.  Source: data
// model of the spec, section 1.3.2 and annex A.  The names of system
// properties are valid: they name other members.  Returns whether further
// checks should run.
bool CheckPropertyName(std::string_view utf8, Report::Path path,
                       Report& report);

// Fails with the first of these errors.
Result<void> CheckPropertyName(std::string_view utf8);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PROPERTY_NAME_H_
