#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <limits>

#include "base/ascii.h"
#include "base/nearest_double.h"
#include "base/shortest_decimal.h"

namespace entitable {
namespace {

// ---- Reading

template <std::signed_integral Integer>
std::optional<Integer> ParseInteger(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;

  const std::uint64_t limit =
      static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()) +
      is_negative;
  std::uint64_t magnitude = 0;
  for (const char c : text) {
    if (!IsAsciiDigit(c)) return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (magnitude > (limit - digit) / 10) return std::nullopt;
    magnitude = magnitude * 10 + digit;
  }
  return static_cast<Integer>(is_negative ? 0 - magnitude : magnitude);
}

// A double is read in two steps: the text is checked and cut into its parts
// here, and FindNearestDouble() takes these.  Zeros in front count for nothing,
// as do missing digits behind the point, so 007.e1 is 70 while -.5 is refused.
std::string_view ReadDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsAsciiDigit);
  const std::string_view digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

struct DoubleText {
  bool is_negative = false;
  DecimalText magnitude;
};

// A number with a longer exponent is out of range for doubles, unless it has as
// many digits to compensate.
constexpr std::size_t kMaxExponentDigits = 15;

std::optional<std::int64_t> ReadExponent(std::string_view& text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::string_view digits = ReadDigits(text);
  if (digits.empty()) return std::nullopt;
  digits = WithoutLeadingZeros(digits).substr(0, kMaxExponentDigits);
  const auto exponent = static_cast<std::int64_t>(WholeOf(digits));
  return is_negative ? -exponent : exponent;
}

std::optional<DoubleText> ReadDoubleText(std::string_view text) {
  DoubleText number;
  number.is_negative = text.starts_with('-');
  if (number.is_negative) text.remove_prefix(1);
  number.magnitude.whole = ReadDigits(text);
  if (number.magnitude.whole.empty()) return std::nullopt;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    number.magnitude.fraction = ReadDigits(text);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    const auto exponent = ReadExponent(text);
    if (!exponent) return std::nullopt;
    number.magnitude.exponent = *exponent;
  }
  if (!text.empty()) return std::nullopt;
  return number;
}

// ---- Printing

// The service prints this many digits if they read back as the value; otherwise
// 17.
constexpr std::size_t kUsualDigits = 15;
constexpr std::size_t kMostDigits = 17;

// A finite number above zero: d.ddd * 10^exponent.  The first and the last
// digit are not '0'.
class Decimal {
 public:
  // The shortest decimal that reads back as the value, and the nearest of
  // these.
  explicit Decimal(double value) {
    ShortestDecimal shortest = FindShortestDecimal(value);
    while (shortest.digits % 10 == 0) {
      shortest.digits /= 10;
      ++shortest.power;
    }
    char* first = std::end(buffer_);
    for (; shortest.digits != 0; shortest.digits /= 10) {
      *--first = static_cast<char>('0' + shortest.digits % 10);
    }
    digits_ = std::string_view(first, std::end(buffer_));
    exponent_ = shortest.power + static_cast<int>(digits_.size()) - 1;
  }
  Decimal(const Decimal&) = delete;
  Decimal& operator=(const Decimal&) = delete;

  std::string_view digits() const { return digits_; }
  int exponent() const { return exponent_; }

 private:
  char buffer_[kMostDigits];
  std::string_view digits_;
  int exponent_;
};

void AppendFixed(const Decimal& decimal, TextBuffer& out) {
  const std::string_view digits = decimal.digits();
  if (decimal.exponent() < 0) {
    out.append("0.");
    out.append(static_cast<std::size_t>(-decimal.exponent() - 1), '0');
    out.append(digits);
    return;
  }
  const auto whole_size = static_cast<std::size_t>(decimal.exponent()) + 1;
  if (digits.size() <= whole_size) {
    out.append(digits);
    out.append(whole_size - digits.size(), '0');
    out.append(".0");
    return;
  }
  out.append(digits.substr(0, whole_size));
  out.push_back('.');
  out.append(digits.substr(whole_size));
}

void AppendScientific(const Decimal& decimal, TextBuffer& out) {
  const std::string_view digits = decimal.digits();
  out.push_back(digits.front());
  if (digits.size() > 1) (out += '.') += digits.substr(1);
  out.append(decimal.exponent() < 0 ? "E-" : "E+");
  const int size = std::abs(decimal.exponent());
  if (size >= 100) out.push_back(static_cast<char>('0' + size / 100));
  out.push_back(static_cast<char>('0' + size / 10 % 10));
  out.push_back(static_cast<char>('0' + size % 10));
}

// Source: data model, 1.5.3.
void AppendPositive(double value, TextBuffer& out) {
  const Decimal decimal(value);
  const std::size_t precision =
      decimal.digits().size() <= kUsualDigits ? kUsualDigits : kMostDigits;
  if (-5 < decimal.exponent() &&
      decimal.exponent() < static_cast<int>(precision)) {
    AppendFixed(decimal, out);
  } else {
    AppendScientific(decimal, out);
  }
}

}  // namespace

std::optional<std::int32_t> ParseInt32(std::string_view text) {
  return ParseInteger<std::int32_t>(text);
}

std::optional<std::int64_t> ParseInt64(std::string_view text) {
  return ParseInteger<std::int64_t>(text);
}

std::optional<double> ParseDouble(std::string_view text) {
  const auto number = ReadDoubleText(text);
  if (!number) return std::nullopt;
  const double value = FindNearestDouble(number->magnitude);
  if (std::isinf(value)) return std::nullopt;
  return number->is_negative ? -value : value;
}

bool HasIntegerForm(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, IsAsciiDigit);
}

bool HasDoubleForm(std::string_view text) {
  return ReadDoubleText(text).has_value();
}

void AppendDouble(double value, TextBuffer& out) {
  if (std::isnan(value)) {
    out.append("NaN");
    return;
  }
  if (value == 0) {
    out.append("0.0");
    return;
  }
  if (value < 0) out.push_back('-');
  if (std::isinf(value)) {
    out.append("Infinity");
  } else {
    AppendPositive(std::abs(value), out);
  }
}

void AppendDouble(double value, std::string& out) {
  TextBuffer buffer(out);
  AppendDouble(value, buffer);
}

}  // namespace entitable
