// settings.h - the settings of tables and of the account: stored access
// policies and service properties.
//
// A setting is a record: a JSON object of texts.  Its members have the names of
// the service's XML elements, with a dot for each deeper level.  The first
// member tells the kind of element.  A list of settings is JSON Lines, in
// requests, in answers, in archives and in the store.
//
//   {"kind":"SignedIdentifier","Id":"readers","AccessPolicy.Permission":"r"}
//
// Sources: operations of the spec, 2.14 and 2.15; payloads, 4.9.

#ifndef ENTITABLE_MODEL_SETTINGS_H_
#define ENTITABLE_MODEL_SETTINGS_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "entitable/result.h"
#include "model/entity.h"

namespace entitable {

// The start of every record.
inline constexpr std::string_view kSettingStart = R"({"kind":)";

// The property that holds the access policies of a table.
inline constexpr std::string_view kPolicies = "SignedIdentifier";

// The property that holds the schema of a table, a Binary.
inline constexpr std::string_view kSchema = "Schema";

// Whose settings, and which ones: all access policies of a table, if there are
// any; the same and its schema; or service properties.
enum class SettingsOf : std::uint8_t { kAccessPolicies, kTable, kAccount };

// Reads settings into their stored form, one property per kind of element.
// Fails with InvalidXmlDocument; with InvalidInput, if it is a schema that
// cannot be read.
Result<PropertyList> ReadSettings(JsonReader& json, JsonText lines,
                                  SettingsOf owner);

// The line of a schema in an archive.
void AppendSchemaLine(std::string_view schema, std::string& lines);

// All settings that were set, as lines; with defaults, all others, too.
std::string ServicePropertiesOf(const PropertyList& set, bool has_defaults);

}  // namespace entitable

#endif  // ENTITABLE_MODEL_SETTINGS_H_
