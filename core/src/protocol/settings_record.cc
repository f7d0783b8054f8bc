#include "protocol/settings_record.h"

#include <utility>

namespace entitable {

SettingsReader::SettingsReader(std::string_view lines) {
  splitter_.Feed({lines});
}

bool SettingsReader::Next() {
  if (splitter_.Next() != JsonSplitter::Found::kObject) return false;
  const auto members = json_.ReadFlatObject(splitter_.object());
  if (!members) return false;
  members_ = *members;
  return true;
}

std::string_view SettingsReader::TextOf(std::string_view name) const {
  for (const JsonMember& member : members_) {
    if (member.name == name) return member.text;
  }
  return {};
}

}  // namespace entitable
