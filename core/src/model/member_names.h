// member_names.h - checks the names in a request body.
//
// Source: data model of the spec, 1.4.

#ifndef ENTITABLE_MODEL_MEMBER_NAMES_H_
#define ENTITABLE_MODEL_MEMBER_NAMES_H_

#include <optional>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "model/report.h"

namespace entitable {

using Members = JsonReader::Members;

struct Annotation {
  std::string_view property;
  std::string_view name;
};

// Splits "X@odata.type" into (X, odata.type).  Nothing if the member is no
// annotation.
std::optional<Annotation> AsAnnotation(std::string_view member_name);

// Whether the member becomes a custom property: it is not an annotation, not a
// system property and not null.  The service treats null like a missing member.
bool IsCustomProperty(const JsonMember& member);

// These report what they find and return whether further checks should run.

// Reports in the order of the names.
bool CheckDuplicateNames(const Members& members, Report& report);

// Also checks the names of custom properties, and how many there are.
bool CheckNames(const Members& members, Report& report);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_MEMBER_NAMES_H_
