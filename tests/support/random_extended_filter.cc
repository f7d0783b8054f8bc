#include "support/random_extended_filter.h"

#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace entitable {
namespace {

using naive::Entity;
using naive::Value;
using Type = Value::Type;
using Found = std::optional<Value>;

constexpr std::string_view kOperators[] = {"eq", "ne", "gt", "ge", "lt", "le"};

bool IsWhole(const Value& value) {
  return value.type == Type::kInt32 || value.type == Type::kInt64;
}

bool IsNumber(const Value& value) {
  return IsWhole(value) || value.type == Type::kDouble;
}

// Holds every Int64 and every Double exactly.
long double NumberOf(const Value& value) {
  return IsWhole(value) ? static_cast<long double>(value.integer)
                        : static_cast<long double>(value.real);
}

template <typename T>
bool Holds(std::string_view op, T a, T b) {
  if (op == "eq") return a == b;
  if (op == "ne") return a != b;
  if (op == "lt") return a < b;
  if (op == "le") return a <= b;
  if (op == "gt") return a > b;
  return a >= b;
}

bool IsTrue(std::string_view op, const Found& a, const Found& b) {
  if (!a || !b) return false;
  if (IsNumber(*a) && IsNumber(*b)) {
    return Holds(op, NumberOf(*a), NumberOf(*b));
  }
  if (a->type != b->type) return false;
  if (a->type == Type::kString) {
    return Holds(op, naive::CompareOrdinal(a->text, b->text), 0);
  }
  if (a->type == Type::kGuid || a->type == Type::kBinary) {
    return Holds(op, a->text.compare(b->text), 0);
  }
  return Holds(op, a->integer, b->integer);
}

Found Calculated(std::string_view op, const Found& a, const Found& b) {
  if (!a || !b || !IsNumber(*a) || !IsNumber(*b)) return std::nullopt;
  if (!IsWhole(*a) || !IsWhole(*b)) {
    const double x = IsWhole(*a) ? static_cast<double>(a->integer) : a->real;
    const double y = IsWhole(*b) ? static_cast<double>(b->integer) : b->real;
    const double result = op == "add"   ? x + y
                          : op == "sub" ? x - y
                          : op == "mul" ? x * y
                          : op == "div" ? x / y
                                        : std::fmod(x, y);
    return Value{Type::kDouble, 0, result};
  }
  const std::int64_t x = a->integer;
  const std::int64_t y = b->integer;
  if (op == "div" || op == "mod") {
    if (y == 0) return std::nullopt;
    if (op == "mod") return Value{Type::kInt64, y == -1 ? 0 : x % y};
    if (y != -1) return Value{Type::kInt64, x / y};
  }
  // It holds every result that is an Int64 exactly.
  const long double result = op == "add"   ? NumberOf(*a) + NumberOf(*b)
                             : op == "sub" ? NumberOf(*a) - NumberOf(*b)
                             : op == "mul" ? NumberOf(*a) * NumberOf(*b)
                                           : -NumberOf(*a);
  if (result >= 0x1p63L || result < -0x1p63L) return std::nullopt;
  return Value{Type::kInt64, static_cast<std::int64_t>(result)};
}

// Of the letters that the texts of RandomFilters have.
std::string InCase(std::string text, bool is_lower) {
  const std::pair<std::string_view, std::string_view> kLetters[] = {
      {"\u00e9", "\u00c9"}, {"\uff41", "\uff21"}};
  for (char& c : text) {
    if (is_lower && c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
    if (!is_lower && c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  for (const auto& [lower, upper] : kLetters) {
    const std::string_view from = is_lower ? upper : lower;
    const std::size_t at = text.find(from);
    if (at != std::string::npos) {
      text.replace(at, from.size(), is_lower ? lower : upper);
    }
  }
  return text;
}

// In UTF-16 code units: four bytes are two of them.
std::int64_t LengthOf(std::string_view text) {
  std::int64_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

// The times of RandomFilters begin a year.
std::int64_t PartOf(std::string_view part, std::int64_t ticks) {
  if (part == "year") return ticks == 0 ? 1601 : 2020;
  return part == "month" || part == "day" ? 1 : 0;
}

bool HoldsOfTexts(std::string_view function, std::string_view text,
                  std::string_view part) {
  if (function == "startswith") return text.starts_with(part);
  if (function == "endswith") return text.ends_with(part);
  return text.find(part) != std::string_view::npos;
}

}  // namespace

RandomExtendedFilters::Term RandomExtendedFilters::NextSimple() {
  if (OneIn(2)) {
    const Value literal = NextValue();
    return {Spelled(literal), [literal](const Entity&) { return literal; }};
  }
  const std::string name = NextName();
  return {name, [name](const Entity& entity) -> Found {
            const auto found = entity.find(name);
            if (found == entity.end()) return std::nullopt;
            return found->second;
          }};
}

RandomExtendedFilters::Term RandomExtendedFilters::NextCalculation(int depth) {
  constexpr std::string_view kArithmetic[] = {"add", "sub", "mul", "div",
                                              "mod"};
  const std::string op(kArithmetic[Below(std::size(kArithmetic))]);
  const auto operand = [&] {
    Term term = NextTerm(depth - 1);
    if (term.text.find(' ') != std::string::npos) {
      term.text = "(" + term.text + ")";
    }
    return term;
  };
  const Term left = operand();
  const Term right = operand();
  return {left.text + Blanks() + op + Blanks() + right.text,
          [=](const Entity& entity) {
            return Calculated(op, left.value(entity), right.value(entity));
          }};
}

RandomExtendedFilters::Term RandomExtendedFilters::NextFunction(int depth) {
  constexpr std::string_view kFunctions[] = {"tolower", "toupper", "length",
                                             "year",    "month",   "hour"};
  const std::string name(kFunctions[Below(std::size(kFunctions))]);
  const Term inner = NextTerm(depth - 1);
  return {name + "(" + MaybeBlanks() + inner.text + MaybeBlanks() + ")",
          [=](const Entity& entity) -> Found {
            const Found value = inner.value(entity);
            const bool is_of_text =
                name == "tolower" || name == "toupper" || name == "length";
            const Type type = is_of_text ? Type::kString : Type::kDateTime;
            if (!value || value->type != type) return std::nullopt;
            if (name == "length") {
              return Value{Type::kInt32, LengthOf(value->text)};
            }
            if (is_of_text) {
              return Value{Type::kString, 0, 0,
                           InCase(value->text, name == "tolower")};
            }
            return Value{Type::kInt32, PartOf(name, value->integer)};
          }};
}

RandomExtendedFilters::Term RandomExtendedFilters::NextTerm(int depth) {
  if (depth == 0 || OneIn(3)) return NextSimple();
  return OneIn(2) ? NextCalculation(depth) : NextFunction(depth);
}

ExtendedFilter RandomExtendedFilters::NextTextTest() {
  constexpr std::string_view kTests[] = {"startswith", "endswith", "contains"};
  const std::string name(kTests[Below(std::size(kTests))]);
  const Term text = NextTerm(1);
  const Term part = NextTerm(OneIn(4) ? 1 : 0);
  return {name + "(" + text.text + "," + MaybeBlanks() + part.text + ")",
          [=](const Entity& entity) {
            const Found whole = text.value(entity);
            const Found piece = part.value(entity);
            return whole && piece && whole->type == Type::kString &&
                   piece->type == Type::kString &&
                   HoldsOfTexts(name, whole->text, piece->text);
          }};
}

ExtendedFilter RandomExtendedFilters::NextList() {
  const Term term = NextTerm(1);
  std::vector<Term> others;
  std::string text = term.text + Blanks() + "in" + Blanks() + "(";
  for (std::size_t left = 1 + Below(5); left > 0; --left) {
    others.push_back(NextSimple());
    if (others.size() > 1) text += "," + MaybeBlanks();
    text += others.back().text;
  }
  return {text + ")", [=](const Entity& entity) {
            bool is_one = false;
            for (const Term& other : others) {
              is_one = is_one ||
                       IsTrue("eq", term.value(entity), other.value(entity));
            }
            return is_one;
          }};
}

ExtendedFilter RandomExtendedFilters::NextLeaf() {
  if (OneIn(4)) return NextTextTest();
  if (OneIn(4)) return NextList();
  const std::string op(kOperators[Below(std::size(kOperators))]);
  const Term left = NextTerm(OneIn(2) ? 2 : 0);
  const Term right = NextTerm(OneIn(3) ? 2 : 0);
  return {left.text + Blanks() + op + Blanks() + right.text,
          [=](const Entity& entity) {
            return IsTrue(op, left.value(entity), right.value(entity));
          }};
}

ExtendedFilter RandomExtendedFilters::NextCondition(int depth) {
  if (depth == 0 || OneIn(3)) return NextLeaf();
  const ExtendedFilter left = NextCondition(depth - 1);
  if (OneIn(5)) {
    return {"not (" + left.text + ")",
            [=](const Entity& entity) { return !left.is_true_of(entity); }};
  }
  if (OneIn(8)) {
    const bool wanted = OneIn(2);
    return {"(" + left.text + ") eq " + (wanted ? "true" : "false"),
            [=](const Entity& entity) {
              return left.is_true_of(entity) == wanted;
            }};
  }
  const ExtendedFilter right = NextCondition(depth - 1);
  const bool is_and = OneIn(2);
  return {
      "(" + left.text + ")" + (is_and ? " and (" : " or (") + right.text + ")",
      [=](const Entity& entity) {
        return is_and ? left.is_true_of(entity) && right.is_true_of(entity)
                      : left.is_true_of(entity) || right.is_true_of(entity);
      }};
}

}  // namespace entitable
