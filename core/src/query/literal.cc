// The form of a literal alone decides its type:
//
//   5  -5                            Int32
//   5L  5l                           Int64
//   5.0  5.  5e1  5d  5D             Double
//   -INF  -Infinity                  Double; without the minus they are words
//   NaN  INF  Infinity               Double, as words
//   true  false, in any case         Boolean, as words
//   'it''s'                          String
//   datetime'2024-01-02'             DateTime
//   guid'..-..-..-..-..'             Guid
//   X'0aff'  x'0aff'  binary'0aff'   Binary
//
// So a number that is too large for its form is an error.  It does not become a
// number of a wider type, which would compare differently with properties.
// AppendLiteral() writes each value in a form that reads back as the same
// value.

#include "query/literal.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/ascii.h"
#include "base/heap_sort.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "model/value_order.h"
#include "query/evaluator.h"

namespace entitable {
namespace {

constexpr double kInfiniteLiteral = std::numeric_limits<double>::infinity();
constexpr char kHexDigits[] = "0123456789abcdef";

bool SkipOneOf(std::string_view& text, std::string_view characters) {
  if (text.empty() || !characters.contains(text.front())) return false;
  text.remove_prefix(1);
  return true;
}

bool SkipDigits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), IsAsciiDigit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count > 0;
}

bool IsNegativeInfinity(std::string_view text) {
  return text == "-INF" || text == "-Infinity";
}

std::optional<Value> ReadDouble(std::string_view text) {
  if (IsNegativeInfinity(text)) return Value::Double(-kInfiniteLiteral);
  if (text.ends_with('d') || text.ends_with('D')) text.remove_suffix(1);
  const auto value = ParseDouble(text);
  return value ? std::optional(Value::Double(*value)) : std::nullopt;
}

std::optional<Value> ReadInt64(std::string_view text) {
  text.remove_suffix(1);  // Removes the suffix L.
  const auto value = ParseInt64(text);
  return value ? std::optional(Value::Int64(*value)) : std::nullopt;
}

Value ReadString(std::string_view text, FixedStringBuffer& strings) {
  if (!text.contains('\'')) return Value::String(text);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    plain.push_back(text[i]);
    if (text[i] == '\'') ++i;
  }
  return Value::String(strings.Add(plain));
}

std::optional<Value> ReadBinary(std::string_view text,
                                FixedStringBuffer& strings) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const int high = HexDigitValue(text[i]);
    const int low = HexDigitValue(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return Value::Binary(strings.Add(bytes));
}

void AppendString(std::string_view text, std::string& out) {
  out.push_back('\'');
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  out.push_back('\'');
}

void AppendBinary(std::string_view bytes, std::string& out) {
  out.append("X'");
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out.push_back(kHexDigits[byte >> 4]);
    out.push_back(kHexDigits[byte & 0xF]);
  }
  out.push_back('\'');
}

}  // namespace

std::optional<EdmType> NumberType(std::string_view text) {
  if (IsNegativeInfinity(text)) return EdmType::kDouble;
  SkipOneOf(text, "-");
  if (!SkipDigits(text)) return std::nullopt;
  if (text.empty()) return EdmType::kInt32;
  if (text == "L" || text == "l") return EdmType::kInt64;

  if (SkipOneOf(text, ".")) SkipDigits(text);
  if (SkipOneOf(text, "eE")) {
    SkipOneOf(text, "+-");
    if (!SkipDigits(text)) return std::nullopt;
  }
  SkipOneOf(text, "dD");
  return text.empty() ? std::optional(EdmType::kDouble) : std::nullopt;
}

std::optional<EdmType> QuotedType(std::string_view prefix) {
  if (prefix.empty()) return EdmType::kString;
  if (prefix == "datetime") return EdmType::kDateTime;
  if (prefix == "guid") return EdmType::kGuid;
  if (prefix == "X" || prefix == "x" || prefix == "binary") {
    return EdmType::kBinary;
  }
  return std::nullopt;
}

std::optional<Value> ReadLiteral(EdmType type, std::string_view text,
                                 FixedStringBuffer& strings) {
  switch (type) {
    case EdmType::kString:
      return ReadString(text, strings);
    case EdmType::kInt32:
      if (const auto value = ParseInt32(text)) return Value::Int32(*value);
      return std::nullopt;
    case EdmType::kInt64:
      return ReadInt64(text);
    case EdmType::kDouble:
      return ReadDouble(text);
    case EdmType::kBoolean:
      break;  // A word: see WordLiteral().
    case EdmType::kDateTime:
      if (const auto value = DateTime::Parse(text)) {
        return Value::OfDateTime(*value);
      }
      return std::nullopt;
    case EdmType::kGuid:
      if (const auto value = Guid::Parse(text)) return Value::OfGuid(*value);
      return std::nullopt;
    case EdmType::kBinary:
      return ReadBinary(text, strings);
  }
  return std::nullopt;
}

std::optional<Value> WordLiteral(std::string_view word) {
  // In any case, unlike keywords.  Source: query, 3.3.
  if (EqualsIgnoringAsciiCase(word, "true")) return Value::Boolean(true);
  if (EqualsIgnoringAsciiCase(word, "false")) return Value::Boolean(false);
  if (word == "NaN") {
    return Value::Double(std::numeric_limits<double>::quiet_NaN());
  }
  if (word == "INF" || word == "Infinity")
    return Value::Double(kInfiniteLiteral);
  return std::nullopt;
}

void AppendLiteral(const Value& value, std::string& out) {
  switch (value.type()) {
    case EdmType::kString:
      AppendString(value.string(), out);
      break;
    case EdmType::kInt32:
      AppendDecimal(value.int32(), out);
      break;
    case EdmType::kInt64:
      AppendDecimal(value.int64(), out);
      out.push_back('L');
      break;
    case EdmType::kDouble:
      AppendDouble(value.real(), out);
      break;
    case EdmType::kBoolean:
      out.append(value.boolean() ? "true" : "false");
      break;
    case EdmType::kDateTime:
      out.append("datetime'").append(value.date_time().ToString());
      out.push_back('\'');
      break;
    case EdmType::kGuid:
      out.append("guid'").append(value.guid().ToString()).push_back('\'');
      break;
    case EdmType::kBinary:
      AppendBinary(value.binary(), out);
      break;
  }
}

// ----------------------------------------------------------------- literal set

namespace {

// NaN is never in a set, because nothing equals it.
bool IsBefore(const Value& a, const Value& b) {
  return a.type() != b.type() ? a.type() < b.type() : OrderOfOneType(a, b) < 0;
}

bool IsSame(const Value& a, const Value& b) {
  return a.type() == b.type() && OrderOfOneType(a, b) == 0;
}

bool IsNaN(const Value& literal) {
  return OrderOfOneType(literal, literal) != 0;
}

std::size_t NumberOf(EdmType type) { return static_cast<std::size_t>(type); }

}  // namespace

// The literals are sorted by type, and starts_ says where each type begins.  A
// property is searched once for each type of literal that compares with its
// own, three at the most.  A binary search works although it converts the
// literals, because rounding an integer to a Double keeps the order.
LiteralSet::LiteralSet(std::vector<Value> literals)
    : literals_(std::move(literals)) {
  std::erase_if(literals_, IsNaN);
  HeapSort(literals_, IsBefore);
  literals_.erase(std::unique(literals_.begin(), literals_.end(), IsSame),
                  literals_.end());
  for (const Value& literal : literals_)
    ++starts_[NumberOf(literal.type()) + 1];
  for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
}

std::span<const Value> LiteralSet::Of(EdmType type) const {
  const std::size_t begin = starts_[NumberOf(type)];
  return std::span(literals_).subspan(begin,
                                      starts_[NumberOf(type) + 1] - begin);
}

std::span<const Value> LiteralSet::From(EdmType type,
                                        const Value& property) const {
  const std::span<const Value> literals = Of(type);
  const auto first = std::partition_point(
      literals.begin(), literals.end(),
      [&](const Value& literal) { return Order(property, literal) > 0; });
  return {first, literals.end()};
}

bool LiteralSet::Has(const Value& property) const {
  for (const EdmType type : ComparableWith(property.type())) {
    const std::span<const Value> literals = From(type, property);
    if (!literals.empty() && Order(property, literals.front()) == 0)
      return true;
  }
  return false;
}

}  // namespace entitable
