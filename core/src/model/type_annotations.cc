#include "model/type_annotations.h"

#include <optional>
#include <span>

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
  for (const JsonMember& member : members) {
    const auto annotation = AsAnnotation(member.name);
    if (!annotation) continue;
    if (annotation->property.empty() &&
        !report.AddCharacter(Rule::kPropertyNameCharacter,
                             ErrorCode::kPropertyNameInvalid, member.name,
                             member.name, 0)) {
      return false;
    }
    if (annotation->name == kTypeAnnotation) {
      if (count_ < kFew) few_[count_] = {annotation->property, &member};
      ++count_;
    }
  }
  members_ = members;
  if (count_ > kFew) Sort();
  return true;
}

const JsonMember* TypeAnnotations::Find(std::string_view property) const {
  if (count_ > kFew) return FindSorted(property);
  for (const Annotated& one : std::span(few_).first(count_)) {
    if (one.property == property) return one.member;
  }
  return nullptr;
}

void TypeAnnotations::Sort() {
  order_.Reserve(members_.size());
  for (const JsonMember& member : members_) {
    order_.Add(TypedBy(member).value_or(""));
  }
  order_.Sort();
}

const JsonMember* TypeAnnotations::FindSorted(std::string_view property) const {
  for (const HashOrder::Entry& entry : order_.Find(property)) {
    const JsonMember& member = members_[HashOrder::NumberIn(entry)];
    if (TypedBy(member) == property) return &member;
  }
  return nullptr;
}

}  // namespace entitable
