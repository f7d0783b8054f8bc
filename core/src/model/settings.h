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
//
// Every rule about settings is a row of a table in settings.cc: kForms has the
// kinds of records and how many of each there may be, and each kind has the
// members that such a record may have.  A record is sound if each member that
// it has is known and is there once, if each member that must be there is, and
// if its text passes the check of the member.  What must be there may depend on
// another member:
//
//   RetentionPolicy.Days   if RetentionPolicy.Enabled is "true"; else dropped
//   IncludeAPIs            if Enabled is "true"; else dropped
//   AccessPolicy.Start     never; an empty one is dropped
//
// Checks may change a text to its stored form, so what is equal to the service
// is stored equally, for example times with seven digits.  Records are written
// again, with their members in the order of the table, and never copied.
//
// The rules of CORS are many records of one property.  So their lines are added
// to those of the record "Cors", which must come before them.

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
