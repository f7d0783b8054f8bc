#include "model/parts.h"

#include "base/coding.h"
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

bool IsFullPart(const PackedProperty& property) {
  const std::string_view value = property.value;
  if (property.type == EdmType::kBinary) return value.size() >= kMaxBinaryBytes;
  return property.type == EdmType::kString &&
         value.size() >= kMaxStringLength - 1 &&
         Utf16Length(value) >= kMaxStringLength - 1;
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
