// settings_xml.h - settings in XML: the documents of requests, and answers.
//
// The engine has all rules about settings.  This file only turns elements into
// members of records (model/settings.h) and members into elements, whatever
// they contain.  Source: payloads of the spec, 4.9.
//
//   <SignedIdentifier>                    {"kind":"SignedIdentifier",
//     <Id>readers</Id>                     "Id":"readers",
//     <AccessPolicy>                       "AccessPolicy.Permission":"r"}
//       <Permission>r</Permission>
//
// An element that is a record becomes a line.  Elements in it become members,
// and those one level deeper have both names, with a dot between them.

#ifndef ENTITABLE_PROTOCOL_SETTINGS_XML_H_
#define ENTITABLE_PROTOCOL_SETTINGS_XML_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/json_reader.h"
#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/answer.h"

namespace entitable {

// Reads the engine's settings record by record.

// Reads lines that the engine has written:
//   for (SettingsReader reader(lines); reader.Next();) ... reader.TextOf("Id")
class SettingsReader {
 public:
  explicit SettingsReader(std::string_view lines);

  // Moves to the next record.  Returns false at the end.
  bool Next();

  // The members of the current record, as views that are valid until the next
  // call.  The first member tells the kind of the record.
  JsonReader::Members members() const { return members_; }
  std::string_view kind() const { return TextOf("kind"); }

  // Empty if the record has no such member.
  std::string_view TextOf(std::string_view name) const;

 private:
  JsonSplitter splitter_;
  JsonReader json_;
  JsonReader::Members members_;
};

// ---------------------------------------------------------------- settings xml

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

// ------------------------------------------------------------- settings answer

// The answer to a settings request.
//
// Source: operations of the spec, 2.13 to 2.17.

// For a settings request that the engine answered with success.
HttpResponse MakeSettingsAnswer(const RequestContext& context,
                                const Response& response, DateTime now);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SETTINGS_XML_H_
