// settings_xml.h - converts settings between XML and the engine's records.
//
// The engine has all rules about settings.  This file only turns elements into
// members of records (model/settings.h) and members into elements, whatever
// they contain.  Source: payloads of the spec, 4.9.

#ifndef ENTITABLE_PROTOCOL_SETTINGS_XML_H_
#define ENTITABLE_PROTOCOL_SETTINGS_XML_H_

#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

inline constexpr std::string_view kPoliciesElement = "SignedIdentifiers";
inline constexpr std::string_view kPropertiesElement =
    "StorageServiceProperties";

// Reads a document whose root element has this name.  Fails with
// InvalidXmlDocument if it is not XML, or if a record cannot represent it.
Result<std::string> SettingsFromXml(std::string_view xml,
                                    std::string_view root);

// Writes a document from lines of the engine.
std::string SettingsToXml(std::string_view lines, std::string_view root);

// The start of every document: a byte order mark and the declaration.
std::string BeginXml();

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SETTINGS_XML_H_
