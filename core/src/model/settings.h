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

// The access policies of a table, in the form in which they are stored.  Fails
// with InvalidXmlDocument, as the next one does.
Result<std::string> ReadPolicies(JsonReader& json, JsonText lines);

// Properties of the service in the same form, each under the name of its
// element; those of which the lines say nothing are left out.
Result<PropertyList> ReadServiceProperties(JsonReader& json, JsonText lines);

// All that were set, as lines; with defaults, also those that were not.
std::string ServicePropertiesOf(const PropertyList& set, bool has_defaults);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_SETTINGS_H_
