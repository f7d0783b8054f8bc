#include "model/member_roles.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "entitable/validate.h"

namespace entitable {
namespace {

// A note is the number of the annotation plus one, or zero; and this bit.
constexpr std::uint16_t kIsProperty = 0x8000;
static_assert(kMaxValidatedProperties < kIsProperty);

// A null member has no value, whatever its name is.
bool IsKnown(const JsonMember& member, const KnownName& known) {
  return member.kind != JsonMember::Kind::kNull && member.name == known.name;
}

}  // namespace

bool MemberRoles::Read(const Members& members, JsonReader& reader,
                       Report& report) {
  members_ = members;
  auto& known = reader.known_names();
  if (!std::ranges::equal(members, known, IsKnown)) {
    known.clear();
    types_.emplace();
    if (!CheckNames(members, report) || !types_->Read(members, report)) {
      return false;
    }
    // The names of null members were not checked.
    const bool are_checked =
        report.is_clean() && members.size() <= kMaxValidatedProperties &&
        std::ranges::find(members, JsonMember::Kind::kNull,
                          &JsonMember::kind) == members.end();
    if (!are_checked) return true;
    Note(reader);
  }
  known_ = known;
  return true;
}

void MemberRoles::Note(JsonReader& reader) const {
  for (const JsonMember& member : members_) {
    const JsonMember* type = types_->Find(member.name);
    auto note = static_cast<std::uint16_t>(
        type == nullptr ? 0 : type - members_.data() + 1);
    if (IsCustomProperty(member)) note |= kIsProperty;
    reader.known_names().push_back({std::string(member.name), note});
  }
}

bool MemberRoles::IsProperty(std::size_t member) const {
  return known_ ? ((*known_)[member].note & kIsProperty) != 0
                : IsCustomProperty(members_[member]);
}

const JsonMember* MemberRoles::TypeOf(std::size_t member) const {
  if (!known_) return types_->Find(members_[member].name);
  const auto type =
      static_cast<std::size_t>((*known_)[member].note % kIsProperty);
  return type == 0 ? nullptr : &members_[type - 1];
}

}  // namespace entitable
