// settings_xml.h - settings as HTTP has them, and as the engine has them.
//
// Every rule of what may be set is the engine's: here elements become members
// of records (model/settings.h), and members elements, whatever they say.
// Source: payloads of the spec, 4.9.

#ifndef ENTITABLE_PROTOCOL_SETTINGS_XML_H_
#define ENTITABLE_PROTOCOL_SETTINGS_XML_H_

#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

inline constexpr std::string_view kPoliciesElement = "SignedIdentifiers";
inline constexpr std::string_view kPropertiesElement =
    "StorageServiceProperties";

// The lines of a document around an element of this name.  Fails with
// InvalidXmlDocument when it is none, or has what no record can have.
Result<std::string> SettingsFromXml(std::string_view xml,
                                    std::string_view root);

// A document of lines that came from the engine.
std::string SettingsToXml(std::string_view lines, std::string_view root);

// How every document begins: a byte order mark, and the declaration.
std::string BeginXml();

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SETTINGS_XML_H_
