#include "model/entity_members.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/hash_index.h"
#include "base/heap_sort.h"
#include "entitable/validate.h"
#include "model/entity.h"
#include "model/limits.h"
#include "model/names.h"

namespace entitable {
namespace {

using Names = std::vector<std::string_view>;

// Sorts the names, and adds each name that occurs twice to `twice` once.
void AddRepeated(Names& names, Names& twice) {
  HeapSort(names);
  for (std::size_t i = 1; i < names.size(); ++i) {
    const bool is_first_repeat =
        names[i] == names[i - 1] && (i == 1 || names[i] != names[i - 2]);
    if (is_first_repeat) twice.push_back(names[i]);
  }
}

// A body may have hundreds of thousands of members, so names are compared only
// if their hashes are equal.
Names NamesGivenTwice(const Members& members) {
  HashOrder order;
  order.Reserve(members.size());
  for (const JsonMember& member : members) order.Add(member.name);
  order.Sort();
  Names twice;
  Names names;
  for (auto rest = order.all(); !rest.empty();) {
    const auto alike = HashOrder::TakeAlike(rest);
    if (alike.size() == 1) continue;
    names.clear();
    for (const HashOrder::Entry& entry : alike) {
      names.push_back(members[HashOrder::NumberIn(entry)].name);
    }
    AddRepeated(names, twice);
  }
  return twice;
}

}  // namespace

std::optional<Annotation> AsAnnotation(std::string_view member_name) {
  const std::size_t at = member_name.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  return Annotation{member_name.substr(0, at), member_name.substr(at + 1)};
}

bool IsCustomProperty(const JsonMember& member) {
  return member.kind != JsonMember::Kind::kNull && !IsSystemName(member.name) &&
         !member.name.starts_with("odata.") && !AsAnnotation(member.name);
}

bool CheckDuplicateNames(const Members& members, Report& report) {
  Names twice = NamesGivenTwice(members);
  std::make_heap(twice.begin(), twice.end(), std::greater<>());
  while (!twice.empty()) {
    std::pop_heap(twice.begin(), twice.end(), std::greater<>());
    if (!report.Add(Rule::kPropertyDuplicate,
                    ErrorCode::kDuplicatePropertiesSpecified, twice.back())) {
      return false;
    }
    twice.pop_back();
  }
  return true;
}

bool CheckNames(const Members& members, Report& report) {
  const auto count = static_cast<std::size_t>(
      std::ranges::count_if(members, IsCustomProperty));
  // A body with far too many properties is rejected before names are compared.
  const bool is_far_too_many = count > kMaxValidatedProperties;
  if (is_far_too_many && !CheckPropertyCount(count, report)) return false;
  if (!CheckDuplicateNames(members, report)) return false;
  for (const JsonMember& member : members) {
    if (!IsCustomProperty(member)) continue;
    if (!CheckPropertyName(member.name, member.name, report)) return false;
  }
  return is_far_too_many || CheckPropertyCount(count, report);
}

// ------------------------------------------------------------ type annotations

namespace {

constexpr std::string_view kTypeAnnotation = "odata.type";

// The property whose type the member gives, if any.
std::optional<std::string_view> TypedBy(const JsonMember& member) {
  const auto annotation = AsAnnotation(member.name);
  if (!annotation || annotation->name != kTypeAnnotation) return std::nullopt;
  return annotation->property;
}

}  // namespace

bool TypeAnnotations::Read(const Members& members, Report& report) {
  members_ = members;
  bool has_types = false;
  for (const JsonMember& member : members) {
    const auto annotation = AsAnnotation(member.name);
    if (!annotation) continue;
    if (annotation->property.empty() &&
        !report.AddCharacter(Rule::kPropertyNameCharacter,
                             ErrorCode::kPropertyNameInvalid, member.name,
                             member.name, 0)) {
      return false;
    }
    has_types |= annotation->name == kTypeAnnotation;
  }
  if (!has_types) return true;
  order_.Reserve(members.size());
  for (const JsonMember& member : members) {
    order_.Add(TypedBy(member).value_or(""));
  }
  order_.Sort();
  return true;
}

const JsonMember* TypeAnnotations::Find(std::string_view property) const {
  for (const HashOrder::Entry& entry : order_.Find(property)) {
    const JsonMember& member = members_[HashOrder::NumberIn(entry)];
    if (TypedBy(member) == property) return &member;
  }
  return nullptr;
}

// ---------------------------------------------------------------- member roles

namespace {

// A note is the number of the annotation plus one, or zero; and this bit.
constexpr std::uint16_t kIsProperty = 0x8000;
static_assert(kMaxValidatedProperties < kIsProperty);

// A null member has no value, whatever its name is.
bool IsKnown(const JsonMember& member, const KnownName& known) {
  return member.kind != JsonMember::Kind::kNull && member.name == known.name;
}

}  // namespace

// The names that were known last, with what became of them:
//
//   name             note
//   Age              property, annotated by member 1
//   Age@odata.type   neither a property nor annotated
//   PartitionKey     the same
//
// They are forgotten as soon as a body has other names, and kept only if every
// name has passed and no member is null, because a null member is no property
// and its name is not checked.  So a body with the same names needs no hash, no
// sort and no look-up of characters.
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
