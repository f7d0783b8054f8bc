#include "base/number.h"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>

#include "base/ascii.h"
#include "simdjson.h"

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

std::string_view TakeDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsAsciiDigit);
  const std::string_view digits(text.begin(), end);
  text.remove_prefix(digits.size());
  return digits;
}

std::string_view WithoutLeadingZeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

// The exponent without its leading zeros.  Beyond six digits only its sign
// matters, and simdjson takes no more than nineteen.
void AppendExponent(std::string_view digits, std::string& out) {
  digits = WithoutLeadingZeros(digits);
  out.append(digits.size() > 6 ? std::string_view("999999")
             : digits.empty()  ? std::string_view("0")
                               : digits);
}

// The same number in the grammar of JSON, or nothing: that grammar has neither
// leading zeros nor a point without digits after it.
std::optional<std::string> NormalizeDouble(std::string_view text) {
  std::string json;
  if (text.starts_with('-')) {
    json.push_back('-');
    text.remove_prefix(1);
  }
  const std::string_view whole = TakeDigits(text);
  if (whole.empty()) return std::nullopt;
  const std::string_view significant = WithoutLeadingZeros(whole);
  json.append(significant.empty() ? std::string_view("0") : significant);

  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = TakeDigits(text);
    if (!fraction.empty()) json.append(1, '.').append(fraction);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    json.push_back('e');
    text.remove_prefix(1);
    if (text.starts_with('-')) json.push_back('-');
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    const std::string_view exponent = TakeDigits(text);
    if (exponent.empty()) return std::nullopt;
    AppendExponent(exponent, json);
  }
  if (!text.empty()) return std::nullopt;
  return json;
}

// ---- Printing

// The service prints so many digits if they read back as the value, else 17.
constexpr std::size_t kUsualDigits = 15;
constexpr std::size_t kMostDigits = 17;

// A finite number above zero: d.ddd * 10^exponent.  The first digit and the
// last are not '0'.
class Decimal {
 public:
  // The digits of a text that reads back as the value: nearly always of the
  // shortest, never more than 17.
  explicit Decimal(double value) {
    char buffer[kBufferSize];
    const char* const end =
        simdjson::internal::to_chars(buffer, buffer + kBufferSize, value);
    const std::string_view text(buffer, end);
    const std::size_t mark = std::min(text.find('e'), text.size());
    AddDigits(text.substr(0, mark));
    if (mark < text.size()) AddExponent(text.substr(mark + 1));
  }

  // With the digits behind the usual ones rounded away.
  Decimal Rounded() const {
    Decimal rounded = *this;
    const bool is_up = size_ > kUsualDigits && digits_[kUsualDigits] >= '5';
    rounded.size_ = std::min(size_, kUsualDigits);
    if (is_up) rounded.AddOneToTheLast();
    rounded.DropTrailingZeros();
    return rounded;
  }

  std::string_view digits() const { return {digits_, size_}; }
  int exponent() const { return exponent_; }

 private:
  // Longest of all: 17 digits, a point and "e-308".
  static constexpr std::size_t kBufferSize = 32;

  // Each digit before the point raises the exponent, and each leading zero
  // lowers it.
  void AddDigits(std::string_view text) {
    bool is_whole = true;
    for (const char c : text) {
      if (c == '.') {
        is_whole = false;
        continue;
      }
      exponent_ += is_whole;
      if (size_ == 0 && c == '0') {
        --exponent_;
      } else {
        digits_[size_++] = c;
      }
    }
    DropTrailingZeros();
  }

  void AddExponent(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    exponent_ += ParseInt32(text).value_or(0);
  }

  void AddOneToTheLast() {
    while (size_ > 0 && digits_[size_ - 1] == '9') --size_;
    if (size_ > 0) {
      ++digits_[size_ - 1];
    } else {
      digits_[size_++] = '1';
      ++exponent_;
    }
  }

  void DropTrailingZeros() {
    while (digits_[size_ - 1] == '0') --size_;
  }

  char digits_[kBufferSize];
  std::size_t size_ = 0;
  int exponent_ = -1;
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

// simdjson prints sixteen or seventeen digits for about one in five hundred of
// the doubles that the usual fifteen tell, too.
Decimal DecimalOf(double value) {
  const Decimal decimal(value);
  if (decimal.digits().size() <= kUsualDigits) return decimal;
  const Decimal rounded = decimal.Rounded();
  std::string text;
  {
    TextBuffer buffer(text);
    AppendScientific(rounded, buffer);
  }
  return ParseDouble(text) == value ? rounded : decimal;
}

// Source: data model, 1.5.3.
void AppendPositive(double value, TextBuffer& out) {
  const Decimal decimal = DecimalOf(value);
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
  std::optional<std::string> json = NormalizeDouble(text);
  if (!json) return std::nullopt;
  // The number must be followed by something that ends it.
  json->push_back(' ');
  double value;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(json->data());
  if (simdjson::builtin::numberparsing::parse_double(bytes).get(value)) {
    return std::nullopt;
  }
  return value;
}

bool HasIntegerForm(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, IsAsciiDigit);
}

bool HasDoubleForm(std::string_view text) {
  return NormalizeDouble(text).has_value();
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
