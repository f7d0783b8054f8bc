#include "support/random_filter.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>

namespace entitable {
namespace {

using naive::Value;
using Type = Value::Type;

constexpr std::string_view kNames[] = {"A",  "B",   "S",        "N",   "\u00e9",
                                       "eq", "and", "datetime", "guid"};
constexpr std::string_view kBareNames[] = {"A", "B", "S", "N", "and", "guid"};
constexpr std::string_view kKeyNames[] = {"PartitionKey", "RowKey"};
constexpr std::string_view kOperators[] = {"eq", "ne", "gt", "ge", "lt", "le"};

constexpr std::string_view kTexts[] = {
    "",       "a",      "A",          "ab",     "b", "p",
    "\u00e9", "\uff21", "\U0001F600", "O'Neil", "5", "true"};
constexpr std::int64_t kInt32s[] = {0, 1, -1, 5, 6, INT32_MAX, INT32_MIN};
constexpr std::int64_t kInt64s[] = {0,         5,
                                    -1,        std::int64_t{INT32_MAX} + 1,
                                    1LL << 53, (1LL << 53) + 1,
                                    INT64_MAX, INT64_MIN};
constexpr double kDoubles[] = {0,
                               -0.0,
                               1,
                               5,
                               1.5,
                               -1e300,
                               5e-324,
                               9007199254740992.0,
                               std::numeric_limits<double>::infinity(),
                               -std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
// Ticks from 1601 and how they may be written.
struct Time {
  std::int64_t ticks;
  std::array<std::string_view, 3> spellings;
};
constexpr Time kTimes[] = {
    {0,
     {"1601-01-01T00:00:00Z", "1601-01-01T00:00:00", "1601-01-01T00:00:00.0Z"}},
    {132223104000000000,
     {"2020-01-01T00:00:00Z", "2020-01-01T00:00:00.0000000Z",
      "2020-01-01T00:00:00"}},
    {132223104000000001,
     {"2020-01-01T00:00:00.0000001Z", "2020-01-01T00:00:00.0000001",
      "2020-01-01T00:00:00.00000019Z"}},
};
constexpr std::string_view kGuids[] = {"00000000-0000-0000-0000-000000000000",
                                       "00000000-0000-0000-0000-000000000005",
                                       "a455c695-df98-5678-aaaa-81d3367e5a34"};
constexpr std::string_view kBinaries[] = {
    {"", 0}, {"\x01", 1}, {"\x01\x02", 2}, {"\xFF", 1}, {"\0", 1}};

std::string Format(const char* format, double value) {
  char buffer[64];
  return {buffer, static_cast<std::size_t>(
                      std::snprintf(buffer, sizeof buffer, format, value))};
}

}  // namespace

template <typename Choices>
auto RandomFilters::Any(const Choices& choices) {
  return choices[Below(std::size(choices))];
}

// -------------------------------------------------------------------- values

Value RandomFilters::NextValue() {
  Value value;
  value.type = static_cast<Type>(Below(8));
  switch (value.type) {
    case Type::kString:
      value.text = Any(kTexts);
      break;
    case Type::kInt32:
      value.integer = Any(kInt32s);
      break;
    case Type::kInt64:
      value.integer = Any(kInt64s);
      break;
    case Type::kDouble:
      value.real = Any(kDoubles);
      break;
    case Type::kBoolean:
      value.integer = static_cast<std::int64_t>(Below(2));
      break;
    case Type::kDateTime:
      value.integer = Any(kTimes).ticks;
      break;
    case Type::kGuid:
      value.text = Any(kGuids);
      break;
    case Type::kBinary:
      value.text = Any(kBinaries);
      break;
  }
  return value;
}

naive::Entity RandomFilters::NextEntity() {
  naive::Entity entity;
  for (const std::string_view name : kKeyNames) {
    Value key{Type::kString};
    key.text = Any(kTexts);
    entity.emplace(name, std::move(key));
  }
  entity.emplace("Timestamp", Value{Type::kDateTime, Any(kTimes).ticks});
  for (const std::string_view name : kNames) {
    if (!OneIn(4)) entity.emplace(name, NextValue());
  }
  return entity;
}

// ------------------------------------------------------------------ literals

std::string RandomFilters::SpelledDouble(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) {
    const bool is_short = OneIn(2);
    if (value > 0) return is_short ? "INF" : "Infinity";
    return is_short ? "-INF" : "-Infinity";
  }
  const bool is_small = std::fabs(value) < 10 && std::fabs(value) != 5e-324;
  if (is_small && value == std::floor(value)) {
    const char* const kForms[] = {"%.0fd",  "%.0fD",   "%.0f.",     "%.0f.0",
                                  "%.0fe0", "%.0fE+0", "%.0f.0e-0d"};
    return Format(Any(kForms), value);
  }
  return Format(OneIn(2) ? "%.17e" : "%.17Ed", value);
}

std::string RandomFilters::Spelled(const Value& value) {
  constexpr std::string_view kDigits[] = {"0123456789abcdef",
                                          "0123456789ABCDEF"};
  constexpr std::string_view kBinaryWords[] = {"X", "x", "binary"};
  std::string text;
  switch (value.type) {
    case Type::kString:
      for (const char c : value.text) text.append(c == '\'' ? 2 : 1, c);
      return "'" + text + "'";
    case Type::kInt32:
      text = std::to_string(value.integer);
      if (OneIn(8)) text.insert(text.front() == '-' ? 1 : 0, "00");
      return text;
    case Type::kInt64:
      return std::to_string(value.integer) + (OneIn(4) ? "l" : "L");
    case Type::kDouble:
      return SpelledDouble(value.real);
    case Type::kBoolean:
      return value.integer != 0 ? "true" : "false";
    case Type::kDateTime:
      for (const Time& time : kTimes) {
        if (time.ticks == value.integer) text = Any(time.spellings);
      }
      return "datetime'" + text + "'";
    case Type::kGuid:
      text = value.text;
      for (char& c : text) {
        if (c >= 'a' && OneIn(4)) c = static_cast<char>(c - 'a' + 'A');
      }
      return "guid'" + text + "'";
    case Type::kBinary:
      for (const char c : value.text) {
        const auto byte = static_cast<unsigned char>(c);
        text += Any(kDigits)[byte / 16];
        text += Any(kDigits)[byte % 16];
      }
      return std::string(Any(kBinaryWords)) + "'" + text + "'";
  }
  return text;
}

// --------------------------------------------------------------- expressions

std::string RandomFilters::Blanks() {
  constexpr std::string_view kBlanks[] = {" ", " ", " ", "  ", "\t", " \t "};
  return std::string(Any(kBlanks));
}

std::string RandomFilters::NextName() {
  if (OneIn(3)) return std::string(Any(kKeyNames));
  if (OneIn(16)) return "Timestamp";
  return std::string(OneIn(16) ? "Missing" : Any(kNames));
}

std::string RandomFilters::NextComparison() {
  // After `not`, a property called eq might be an operator.
  if (OneIn(8)) return std::string(Any(kBareNames));
  if (OneIn(16)) return OneIn(2) ? "true" : "false";
  std::string left = NextName();
  // Keys are strings: other literals for them are the exception.
  Value literal = NextValue();
  if (left.ends_with("Key") && !OneIn(4)) {
    literal = Value{Type::kString};
    literal.text = Any(kTexts);
  }
  std::string right = Spelled(literal);
  if (OneIn(64)) right = "null";
  if (OneIn(64)) right = NextName();
  if (OneIn(64)) left = Spelled(NextValue());
  if (OneIn(3)) std::swap(left, right);
  for (std::string* side : {&left, &right}) {
    if (OneIn(16)) *side = "(" + MaybeBlanks() + *side + MaybeBlanks() + ")";
  }
  return left + Blanks() + std::string(Any(kOperators)) + Blanks() + right;
}

std::string RandomFilters::NextExpression(int depth) {
  if (depth == 0 || OneIn(4)) return NextComparison();
  const auto next = [&] {
    std::string inner = NextExpression(depth - 1);
    return OneIn(2) ? "(" + MaybeBlanks() + inner + MaybeBlanks() + ")" : inner;
  };
  const std::string left = next();
  if (OneIn(5)) {
    return "not" + (left.front() == '(' && OneIn(2) ? "" : Blanks()) + left;
  }
  const std::string right = next();
  const std::string word = OneIn(2) ? "and" : "or";
  return left + (left.back() == ')' && OneIn(2) ? "" : Blanks()) + word +
         (right.front() == '(' && OneIn(2) ? "" : Blanks()) + right;
}

std::string RandomFilters::NextFilter() {
  if (OneIn(256)) return MaybeBlanks();
  return MaybeBlanks() + NextExpression(static_cast<int>(Below(5))) +
         MaybeBlanks();
}

std::string RandomFilters::Damaged(std::string text) {
  constexpr std::string_view kCharacters = " \t()',.-+0159aeEdDLlxXqnotr_!\"";
  if (text.empty()) return text;
  const std::size_t at = Below(text.size());
  // One byte of a longer character would leave text that is no UTF-8.
  if (static_cast<unsigned char>(text[at]) >= 0x80) return text;
  switch (Below(3)) {
    case 0:
      text.erase(at, 1);
      break;
    case 1:
      text.insert(at, 1, text[at]);
      break;
    default:
      text[at] = Any(kCharacters);
      break;
  }
  return text;
}

std::string ToString(const naive::Entity& entity) {
  std::string line;
  for (const auto& [name, value] : entity) {
    line += name + "=" + std::to_string(static_cast<int>(value.type)) + ":";
    line += value.type == Type::kDouble ? Format("%.17g", value.real)
            : value.text.empty()        ? std::to_string(value.integer)
                                        : value.text;
    line += ' ';
  }
  return line;
}

}  // namespace entitable
