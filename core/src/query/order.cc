//   order  = term { "," term }        term = name [ "asc" | "desc" ]
//   index  = term { "," term }        term = ( name | "items(" name ")" )
//                                            [ "asc" | "desc" ]
//   groups = term { "," term }        term = value [ "asc" | "desc" ]
//                                     value = name | part "(" name ")"
//
// Names are checked as names of properties, though the keys and the Timestamp
// are allowed, too.  A term with the value of an earlier one would
// never decide anything, so it is an error.

#include "query/order.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "model/names.h"

namespace entitable {
namespace {

Failure WrongOrder(const char* text) {
  return Fail(ErrorCode::kInvalidInput, text);
}

bool IsDirection(std::string_view word) {
  return word.empty() || word == "asc" || word == "desc";
}

// Removes the function around the name, if there is one.
std::optional<DatePart> ReadPart(std::string_view& name) {
  const std::size_t open = name.find('(');
  if (open == std::string_view::npos || !name.ends_with(')')) {
    return std::nullopt;
  }
  const auto part = DatePartNamed(name.substr(0, open));
  if (part) name = name.substr(open + 1, name.size() - open - 2);
  return part;
}

bool TakeItems(std::string_view& name) {
  constexpr std::string_view kItems = "items(";
  if (!name.starts_with(kItems) || !name.ends_with(')')) return false;
  name = name.substr(kItems.size(), name.size() - kItems.size() - 1);
  return true;
}

enum class TermsOf : std::uint8_t { kOrder, kIndex, kGroups };

// What is said of a text that is refused.
struct Texts {
  const char* grammar;
  const char* repeated;
  const char* too_many;
};

constexpr Texts kOrderTexts = {
    "An order is the name of a property, or a name and asc or desc.",
    "The order has a name twice.", "The order has more than 16 names."};
constexpr Texts kGroupTexts = {
    "A group is the name of a property, or year, month, day, hour, minute or "
    "second of one, as in year(Born); asc or desc may follow.",
    "The groups have a term twice.", "The groups have more than 16 terms."};

Result<std::vector<OrderTerm>> Parse(std::string_view text, TermsOf what,
                                     const Texts& texts) {
  std::vector<OrderTerm> terms;
  bool has_items = false;
  std::string_view first = text;
  if (ReadWord(first).empty()) return terms;
  std::optional<std::string_view> rest = text;
  while (auto term = ReadTerm(rest)) {
    std::string_view name = ReadWord(*term);
    const auto part = what == TermsOf::kGroups ? ReadPart(name) : std::nullopt;
    const bool is_items =
        what == TermsOf::kIndex && !has_items && TakeItems(name);
    has_items |= is_items;
    const std::string_view direction = ReadWord(*term);
    if (!IsDirection(direction) || !ReadWord(*term).empty() ||
        !CheckPropertyName(name)) {
      return WrongOrder(texts.grammar);
    }
    const bool is_repeated =
        std::ranges::any_of(terms, [&](const OrderTerm& other) {
          return other.name == name && other.part == part;
        });
    if (is_repeated) return WrongOrder(texts.repeated);
    if (terms.size() == kMaxOrderTerms) return WrongOrder(texts.too_many);
    terms.push_back({std::string(name), direction == "desc", part, is_items});
  }
  return terms;
}

}  // namespace

std::optional<Value> OrderTerm::ValueOf(const Value* value) const {
  if (value == nullptr) return std::nullopt;
  if (!part) return *value;
  if (value->type() != EdmType::kDateTime) return std::nullopt;
  return Value::Int32(PartOf(value->date_time(), *part));
}

Result<std::vector<OrderTerm>> ParseOrder(std::string_view text) {
  return Parse(text, TermsOf::kOrder, kOrderTexts);
}

Result<std::vector<OrderTerm>> ParseIndex(std::string_view text) {
  return Parse(text, TermsOf::kIndex, kOrderTexts);
}

Result<std::vector<OrderTerm>> ParseGroups(std::string_view text) {
  return Parse(text, TermsOf::kGroups, kGroupTexts);
}

}  // namespace entitable
