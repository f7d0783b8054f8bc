#include "model/parts.h"

#include <algorithm>
#include <array>

#include "base/coding.h"
#include "base/json_writer.h"
#include "base/utf.h"
#include "model/limits.h"

namespace entitable {

Part AsPart(std::string_view name) {
  const std::size_t at = name.rfind('_');
  if (at == std::string_view::npos) return {};
  std::size_t number = 0;
  for (const char digit : name.substr(at + 1)) {
    number = number * 10 + static_cast<std::size_t>(digit - '0');
    const bool is_number = digit >= '0' && digit <= '9' && number > 0;
    if (!is_number || number > kMaxParts) return {};
  }
  if (number < 2) return {};
  return {name.substr(0, at), number};
}

std::string PartName(std::string_view stem, std::size_t number) {
  std::string name(stem);
  name += '_';
  AppendDecimal(static_cast<std::int64_t>(number), name);
  return name;
}

bool IsFullText(std::string_view text) {
  return text.size() >= kMaxStringLength - 1 &&
         Utf16Length(text) >= kMaxStringLength - 1;
}

namespace {

bool IsText(const std::optional<Value>& part) {
  return part && part->type() == EdmType::kString;
}

}  // namespace

bool IsFullPart(const PackedProperty& property) {
  const std::string_view value = property.value;
  if (property.type == EdmType::kBinary) return value.size() >= kMaxBinaryBytes;
  return property.type == EdmType::kString && IsFullText(value);
}

std::optional<std::string_view> JoinParts(
    const std::optional<Value>& first,
    std::span<const std::optional<Value>> further, Parts rule,
    std::string& room) {
  if (!IsText(first)) return std::nullopt;
  std::size_t count = 0;
  bool is_full = IsFullText(first->string());
  while (is_full && count < further.size() && IsText(further[count])) {
    is_full = IsFullText(further[count++]->string());
  }
  const auto rest = further.subspan(count);
  const bool has_more = std::ranges::any_of(
      rest, [](const auto& part) { return part.has_value(); });
  const bool is_wrong = has_more || (is_full && !rest.empty());
  if (is_wrong && rule == Parts::kAll) return std::nullopt;
  if (count == 0) return first->string();
  room = first->string();
  for (const auto& part : further.first(count)) room += part->string();
  return room;
}

std::optional<std::string_view> WholeText(std::string_view properties,
                                          std::string_view name, Parts rule,
                                          std::string& room) {
  std::optional<Value> first;
  std::array<std::optional<Value>, kMaxFurtherParts> further;
  for (PropertyCursor cursor(properties); auto property = cursor.Next();) {
    if (property->name == name) first = property->value;
    const Part part = AsPart(property->name);
    const bool is_further = part.number > 0 && part.stem == name;
    if (is_further) further[part.number - 2] = property->value;
  }
  return JoinParts(first, further, rule, room);
}

namespace {

bool IsRemoved(std::string_view name, std::string_view removed) {
  const Part part = AsPart(name);
  for (Decoder names(removed); !names.at_end();) {
    const bool has_later_parts = names.ReadU8() != 0;
    const std::string_view one = names.ReadText();
    if (one == name) return true;
    const Part first = AsPart(one);
    if (has_later_parts && first.number != 0 && first.number < part.number &&
        first.stem == part.stem) {
      return true;
    }
  }
  return false;
}

}  // namespace

PropertyList WithoutRemoved(std::string_view list, std::string_view removed) {
  PropertyList others;
  others.Reserve(list.size());
  for (PropertyCursor cursor(list); auto property = cursor.NextPacked();) {
    if (!IsRemoved(property->name, removed)) others.Append(*property);
  }
  return others;
}

}  // namespace entitable
