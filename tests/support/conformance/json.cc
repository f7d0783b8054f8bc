#include "support/conformance/json.h"

#include <algorithm>

#include "simdjson.h"

namespace entitable {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

Json FromElement(element from) {
  Json json;
  switch (from.type()) {
    case element_type::ARRAY:
      json.kind = Json::Kind::kArray;
      for (const element item :
           simdjson::dom::array(from.get_array().value_unsafe())) {
        json.items.push_back(FromElement(item));
      }
      break;
    case element_type::OBJECT:
      json.kind = Json::Kind::kObject;
      for (const auto member :
           simdjson::dom::object(from.get_object().value_unsafe())) {
        json.items.push_back(FromElement(member.value));
        json.items.back().name = member.key;
      }
      break;
    case element_type::STRING:
      json.kind = Json::Kind::kString;
      json.text = from.get_string().value_unsafe();
      break;
    case element_type::BOOL:
      json.kind = Json::Kind::kBoolean;
      json.boolean = from.get_bool().value_unsafe();
      break;
    case element_type::NULL_VALUE:
      break;
    default:
      json.kind = Json::Kind::kNumber;
      json.number = from.get_double().value_unsafe();
  }
  return json;
}

}  // namespace

const Json* Json::Find(std::string_view member) const {
  const auto found = std::ranges::find(items, member, &Json::name);
  return found == items.end() ? nullptr : &*found;
}

std::string Json::TextOf(std::string_view member) const {
  const Json* found = Find(member);
  return found == nullptr ? "" : found->text;
}

bool Json::Equals(const Json& other) const {
  if (kind != other.kind || boolean != other.boolean ||
      number != other.number || text != other.text ||
      items.size() != other.items.size()) {
    return false;
  }
  for (const Json& item : items) {
    const Json* pair =
        kind == Kind::kObject
            ? other.Find(item.name)
            : &other.items[static_cast<std::size_t>(&item - items.data())];
    if (pair == nullptr || !item.Equals(*pair)) return false;
  }
  return true;
}

std::optional<Json> ParseJson(std::string_view text) {
  simdjson::dom::parser parser;
  element root;
  if (parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return FromElement(root);
}

}  // namespace entitable
