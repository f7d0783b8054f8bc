#include "support/naive_literal.h"

#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace entitable::naive {
namespace {

using Type = Value::Type;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Takes digits off the front; how many.
std::size_t TakeDigits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && IsDigit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

std::optional<Value> ReadInteger(std::string_view text, bool is_long) {
  errno = 0;
  const long long number = std::strtoll(std::string(text).c_str(), nullptr, 10);
  const bool fits = is_long || (number >= INT32_MIN && number <= INT32_MAX);
  if (errno != 0 || !fits) return {};
  return Value{is_long ? Type::kInt64 : Type::kInt32, number};
}

std::optional<Value> ReadDouble(std::string_view text) {
  const double number = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(number)) return {};
  return Value{Type::kDouble, 0, number};
}

int TwoDigits(std::string_view text, std::size_t at) {
  return (text[at] - '0') * 10 + (text[at + 1] - '0');
}

bool HasPattern(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool fits =
        pattern[i] == '0' ? IsDigit(text[i]) : text[i] == pattern[i];
    if (!fits) return false;
  }
  return true;
}

// YYYY-MM-DDThh:mm:ss[.f+][Z]
std::optional<Value> ReadDateTime(std::string_view text) {
  using namespace std::chrono;
  if (!HasPattern(text, "0000-00-00T00:00:00")) return {};
  const year_month_day date =
      year(TwoDigits(text, 0) * 100 + TwoDigits(text, 2)) /
      month(static_cast<unsigned>(TwoDigits(text, 5))) /
      day(static_cast<unsigned>(TwoDigits(text, 8)));
  const int hour = TwoDigits(text, 11);
  const int minute = TwoDigits(text, 14);
  const int second = TwoDigits(text, 17);
  if (!date.ok() || date.year() == year(0)) return {};
  if (hour > 23 || minute > 59 || second > 59) return {};
  text.remove_prefix(19);

  std::int64_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    std::string digits(text.substr(0, text.find('Z')));
    for (const char c : digits) {
      if (!IsDigit(c)) return {};
    }
    if (digits.empty()) return {};
    text.remove_prefix(digits.size());
    digits.resize(7, '0');
    fraction = std::strtoll(digits.c_str(), nullptr, 10);
  }
  if (!text.empty() && text != "Z") return {};
  const auto days = sys_days(date) - sys_days(year(1601) / 1 / 1);
  const std::int64_t seconds =
      std::int64_t{days.count()} * 86'400 + hour * 3'600 + minute * 60 + second;
  return Value{Type::kDateTime, seconds * 10'000'000 + fraction};
}

std::optional<Value> ReadGuid(std::string_view text) {
  constexpr std::string_view kPattern = "00000000-0000-0000-0000-000000000000";
  if (text.size() != kPattern.size()) return {};
  Value value{Type::kGuid};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool fits = kPattern[i] == '-' ? c == '-' : std::isxdigit(c) != 0;
    if (!fits) return {};
    value.text += static_cast<char>(std::tolower(c));
  }
  return value;
}

std::optional<Value> ReadBinary(std::string_view text) {
  if (text.size() % 2 != 0) return {};
  Value value{Type::kBinary};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::string pair(text.substr(i, 2));
    for (const char c : pair) {
      if (std::isxdigit(static_cast<unsigned char>(c)) == 0) return {};
    }
    value.text += static_cast<char>(std::stoi(pair, nullptr, 16));
  }
  return value;
}

}  // namespace

// The productions int32, int64 and double, but for the named values.
std::optional<Value> ReadNumber(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  if (TakeDigits(rest) == 0) return {};
  if (rest.empty()) return ReadInteger(text, false);
  if (rest == "L" || rest == "l") {
    return ReadInteger(text.substr(0, text.size() - 1), true);
  }
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    TakeDigits(rest);
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
    if (TakeDigits(rest) == 0) return {};
  }
  if (rest == "d" || rest == "D") {
    text.remove_suffix(1);
    rest = {};
  }
  if (!rest.empty()) return {};
  return ReadDouble(text);
}

std::optional<Value> NamedValue(std::string_view word) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::string lower_case(word);
  for (char& c : lower_case) c = static_cast<char>(std::tolower(c));
  if (lower_case == "true") return Value{Type::kBoolean, 1};
  if (lower_case == "false") return Value{Type::kBoolean, 0};
  if (word == "NaN") return Value{Type::kDouble, 0, std::nan("")};
  if (word == "INF" || word == "Infinity") {
    return Value{Type::kDouble, 0, kInfinity};
  }
  if (word == "-INF" || word == "-Infinity") {
    return Value{Type::kDouble, 0, -kInfinity};
  }
  return {};
}

bool IsQuotedType(std::string_view word) {
  return word == "datetime" || word == "guid" || word == "X" || word == "x" ||
         word == "binary";
}

std::optional<Value> ReadQuoted(std::string_view type, std::string_view text) {
  if (type == "datetime") return ReadDateTime(text);
  if (type == "guid") return ReadGuid(text);
  return ReadBinary(text);
}

}  // namespace entitable::naive
