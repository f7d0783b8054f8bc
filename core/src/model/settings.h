// settings.h - what tables and the account are set to: stored access policies,
// and the properties of the service.
//
// A setting is a record: a JSON object of texts, whose members have the names
// of the service's XML elements, with a dot for what lies deeper, and whose
// first member says which element it is.  A list of them is JSON Lines, in
// requests, in answers, in archives and as it is stored.
//
//   {"kind":"SignedIdentifier","Id":"readers","AccessPolicy.Permission":"r"}
//
// Sources: operations of the spec, 2.14 and 2.15; payloads, 4.9.

#ifndef ENTITABLE_MODEL_SETTINGS_H_
#define ENTITABLE_MODEL_SETTINGS_H_

#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "entitable/result.h"
#include "model/entity.h"

namespace entitable {

// How every record begins.
inline constexpr std::string_view kSettingStart = R"({"kind":)";

// What a property list holds of the access policies of a table.
inline constexpr std::string_view kPolicies = "SignedIdentifier";

// The form in which settings are stored, each under the name of its element:
// all access policies of a table, if there are any; or properties of the
// service, but for those of which the lines say nothing.  Fails with
// InvalidXmlDocument.
Result<PropertyList> ReadSettings(JsonReader& json, JsonText lines,
                                  bool are_policies);

// All that were set, as lines; with defaults, also those that were not.
std::string ServicePropertiesOf(const PropertyList& set, bool has_defaults);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_SETTINGS_H_
