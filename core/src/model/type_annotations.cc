#include "model/type_annotations.h"

namespace entitable {
namespace {

constexpr std::string_view kTypeAnnotation = "odata.type";

// Up to this many annotations are searched one by one for each property.
constexpr std::size_t kFew = 8;

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
      types_.emplace_back(annotation->property, &member);
    }
  }
  if (types_.size() > kFew) Sort();
  return true;
}

const JsonMember* TypeAnnotations::Find(std::string_view property) const {
  if (types_.size() > kFew) return FindSorted(property);
  for (const auto& [name, member] : types_) {
    if (name == property) return member;
  }
  return nullptr;
}

void TypeAnnotations::Sort() {
  order_.Reserve(types_.size());
  for (const auto& [name, member] : types_) order_.Add(name);
  order_.Sort();
}

const JsonMember* TypeAnnotations::FindSorted(std::string_view property) const {
  for (const HashOrder::Entry& entry : order_.Find(property)) {
    const auto& [name, member] = types_[HashOrder::NumberIn(entry)];
    if (name == property) return member;
  }
  return nullptr;
}

}  // namespace entitable
