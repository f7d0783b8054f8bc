// property_name.h - which names a custom property may have.

#ifndef ENTITABLE_MODEL_PROPERTY_NAME_H_
#define ENTITABLE_MODEL_PROPERTY_NAME_H_

#include <cstddef>
#include <string_view>

#include "entitable/result.h"
#include "model/report.h"

namespace entitable {

// In UTF-16 code units, the end included.
inline constexpr std::size_t kMaxPropertyNameLength = 255;

// Whether the text is both a C# identifier and an XML name without colon, each
// UTF-16 unit judged alone, which shuts out everything above U+FFFF.  The empty
// text is not.  Takes valid UTF-8 of any length.
// Source: data model of the spec, section 1.3.2 and annex A.
bool IsPropertyName(std::string_view utf8);

// PartitionKey, RowKey and Timestamp.
bool IsSystemName(std::string_view name);

// PropertyNameTooLong, then PropertyNameInvalid.  The names of the system
// properties pass: they are other members, not bad names.  Returns whether the
// checks go on.
bool CheckPropertyName(std::string_view utf8, Report::Path path,
                       Report& report);

// Fails with the first of these.
Result<void> CheckPropertyName(std::string_view utf8);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_PROPERTY_NAME_H_
