// settings_record.h - reads the engine's settings record by record.

#ifndef ENTITABLE_PROTOCOL_SETTINGS_RECORD_H_
#define ENTITABLE_PROTOCOL_SETTINGS_RECORD_H_

#include <string_view>
#include <vector>

#include "base/json_reader.h"

namespace entitable {

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

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SETTINGS_RECORD_H_
