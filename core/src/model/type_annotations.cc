#include "model/type_annotations.h"

#include <optional>

namespace entitable {
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

}  // namespace entitable
