#include "model/member_names.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

#include "base/hash_index.h"
#include "base/heap_sort.h"
#include "model/entity.h"
#include "model/limits.h"
#include "model/property_name.h"

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

}  // namespace entitable
