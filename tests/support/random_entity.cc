#include "support/random_entity.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

namespace entitable {
namespace {

constexpr std::string_view kBaseUrl = "https://acct.table.core.windows.net/";

// ----------------------------------------------------------------------- text

std::string Format(const char* format, unsigned value) {
  char text[16];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

bool IsHighSurrogate(char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; }

void AppendCodePoint(std::uint32_t code_point, std::u16string& text) {
  if (code_point < 0x10000) {
    text += static_cast<char16_t>(code_point);
    return;
  }
  code_point -= 0x10000;
  text += static_cast<char16_t>(0xD800 + (code_point >> 10));
  text += static_cast<char16_t>(0xDC00 + (code_point & 0x3FF));
}

// As in an answer: ASCII alone.
std::string Quoted(std::u16string_view text) {
  std::string json = "\"";
  for (const char16_t unit : text) {
    constexpr std::u16string_view kEscaped = u"\"\\\b\f\n\r\t";
    const std::size_t escape = kEscaped.find(unit);
    if (escape != std::u16string_view::npos) {
      json += '\\';
      json += "\"\\bfnrt"[escape];
    } else if (unit < 0x20 || unit >= 0x80) {
      json += Format("\\u%04x", unit);
    } else {
      json += static_cast<char>(unit);
    }
  }
  return json + '"';
}

// As in an address.
std::string KeyLiteral(std::u16string_view key) {
  std::string literal = "'";
  for (const char c : Utf8(key)) {
    constexpr std::string_view kPlain = "-_.~!*()";
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || kPlain.contains(c);
    if (c == '\'') {
      literal += "''";
    } else if (is_plain) {
      literal += c;
    } else {
      literal += Format("%%%02X", byte);
    }
  }
  return literal + '\'';
}

// -------------------------------------------------------------------- doubles

// d.ddd * 10^exponent, in the form of the service.  Source: data-model of the
// spec, 1.5.3.
std::string InForm(std::string digits, int exponent) {
  const int precision = digits.size() <= 15 ? 15 : 17;
  if (exponent <= -5 || exponent >= precision) {
    std::string text = digits.substr(0, 1);
    if (digits.size() > 1) text += "." + digits.substr(1);
    char tail[16];
    std::snprintf(tail, sizeof tail, "E%c%02d", exponent < 0 ? '-' : '+',
                  std::abs(exponent));
    return text + tail;
  }
  if (exponent < 0) {
    const auto zeros = static_cast<std::size_t>(-exponent - 1);
    return "0." + std::string(zeros, '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() < whole) digits.append(whole - digits.size(), '0');
  const std::string fraction = digits.substr(whole);
  return digits.substr(0, whole) + "." + (fraction.empty() ? "0" : fraction);
}

// What the digits of a text say, without the zeros around them.
struct Digits {
  std::string digits;
  int exponent;
};

Digits DigitsOf(std::string_view text) {
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view significand = text.substr(0, mark);
  const std::size_t point = std::min(significand.find('.'), significand.size());
  Digits found{"", mark == text.size()
                       ? 0
                       : std::atoi(std::string(text.substr(mark + 1)).c_str())};
  found.exponent += static_cast<int>(point) - 1;
  for (const char c : significand) {
    if (c == '.') continue;
    if (found.digits.empty() && c == '0') {
      --found.exponent;
    } else {
      found.digits += c;
    }
  }
  while (found.digits.ends_with('0')) found.digits.pop_back();
  return found;
}

bool ReadsAs(const std::string& text, double value) {
  return std::strtod(text.c_str(), nullptr) == value;
}

// Fifteen digits if they read back the same, else seventeen.
std::string DoubleText(double value) {
  if (value == 0) return "0.0";
  char text[40];
  std::snprintf(text, sizeof text, "%.14e", std::abs(value));
  if (!ReadsAs(text, std::abs(value))) {
    std::snprintf(text, sizeof text, "%.16e", std::abs(value));
  }
  const auto [digits, exponent] = DigitsOf(text);
  return (value < 0 ? "-" : "") + InForm(digits, exponent);
}

// The spec also takes another text that reads back the same, with no more
// digits, in the form that these digits have.
bool IsAsGood(std::string_view text, double value, std::string_view expected) {
  if (!ReadsAs(std::string(text), value)) return false;
  if (text.starts_with('-')) text.remove_prefix(1);
  if (expected.starts_with('-')) expected.remove_prefix(1);
  const auto [digits, exponent] = DigitsOf(text);
  return digits.size() <= DigitsOf(expected).digits.size() &&
         text == InForm(digits, exponent);
}

std::string Base64(std::string_view bytes) {
  constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  unsigned bits = 0;
  int count = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (count += 8; count >= 6; count -= 6) {
      text += kDigits[bits >> (count - 6) & 0x3F];
    }
  }
  if (count > 0) text += kDigits[bits << (6 - count) & 0x3F];
  while (text.size() % 4 != 0) text += '=';
  return text;
}

}  // namespace

std::string Utf8(std::u16string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::uint32_t point = text[i];
    if (IsHighSurrogate(text[i])) {
      point = 0x10000 + ((point & 0x3FF) << 10) + (text[++i] & 0x3FFu);
    }
    const int tail = point < 0x80      ? 0
                     : point < 0x800   ? 1
                     : point < 0x10000 ? 2
                                       : 3;
    constexpr unsigned kLeads[] = {0, 0xC0, 0xE0, 0xF0};
    bytes += static_cast<char>(kLeads[tail] | point >> (6 * tail));
    for (int left = tail - 1; left >= 0; --left) {
      bytes += static_cast<char>(0x80 | (point >> (6 * left) & 0x3F));
    }
  }
  return bytes;
}

// ------------------------------------------------------------------- entities

RandomEntity RandomEntities::Next() {
  RandomEntity entity{NextKey(), NextKey(), {}};
  std::set<std::u16string> used;
  // One that has as many as there may be, now and then.
  std::size_t count = OneIn(50) ? 252 : Below(12);
  for (; count > 0; --count) {
    entity.properties.push_back(NextProperty(NextName(used)));
  }
  return entity;
}

std::string RandomEntities::SentBody(const RandomEntity& entity) {
  std::string body = "{\"PartitionKey\":" + Spelled(entity.partition_key) +
                     ",\"RowKey\":" + Spelled(entity.row_key);
  for (const RandomProperty& property : entity.properties) {
    const std::string name = Quoted(property.name);
    const std::string annotation = name.substr(0, name.size() - 1) +
                                   "@odata.type\":\"" + property.annotation +
                                   '"';
    const bool is_first = OneIn(2);
    if (!property.annotation.empty() && is_first) body += ',' + annotation;
    body += ',' + name + (OneIn(8) ? " : " : ":") + property.sent;
    if (!property.annotation.empty() && !is_first) body += ',' + annotation;
  }
  return body + '}';
}

std::u16string RandomEntities::NextText(std::size_t max_length) {
  std::u16string text;
  const std::size_t length = Below(max_length + 1);
  while (text.size() < length) {
    constexpr std::uint32_t kEnds[] = {0x20, 0x80, 0x800, 0xD800};
    std::uint32_t point = 0;
    switch (Below(6)) {
      case 4:
        point = static_cast<std::uint32_t>(0xE000 + Below(0x2000));
        break;
      case 5:
        point = static_cast<std::uint32_t>(0x10000 + Below(0x100000));
        break;
      default:
        point = static_cast<std::uint32_t>(Below(kEnds[Below(4)]));
        break;
    }
    if (text.size() + 1 == length && point >= 0x10000) continue;
    AppendCodePoint(point, text);
  }
  return text;
}

std::u16string RandomEntities::NextKey() {
  std::u16string key;
  for (const char16_t unit : NextText(OneIn(50) ? 1024 : 12)) {
    const bool is_forbidden = unit < 0x20 || (unit >= 0x7F && unit < 0xA0) ||
                              std::u16string_view(u"/\\#?").contains(unit);
    key += is_forbidden ? u'\'' : unit;
  }
  return key;
}

std::u16string RandomEntities::NextName(std::set<std::u16string>& used) {
  for (;;) {
    constexpr std::u16string_view kUnits = u"abcXYZ_\u00E9\u4E2D\uFF21";
    constexpr std::u16string_view kLaterUnits = u"09\u0301\uFF10";
    std::u16string name(1, kUnits[Below(kUnits.size())]);
    const std::size_t length = OneIn(100) ? 255 : 1 + Below(10);
    while (name.size() < length) {
      name += OneIn(4) ? kLaterUnits[Below(kLaterUnits.size())]
                       : kUnits[Below(kUnits.size())];
    }
    if (used.insert(name).second) return name;
  }
}

// As a client may send it: raw, or escaped more than is needed.
std::string RandomEntities::Spelled(std::u16string_view text) {
  std::string json = "\"";
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_pair = IsHighSurrogate(text[i]);
    const bool must_escape =
        text[i] < 0x20 || text[i] == '"' || text[i] == '\\';
    if (must_escape || OneIn(3)) {
      json += Format(OneIn(2) ? "\\u%04X" : "\\u%04x", text[i]);
      if (is_pair) json += Format("\\u%04X", text[++i]);
    } else {
      json += Utf8(text.substr(i, is_pair ? 2 : 1));
      i += is_pair;
    }
  }
  return json + '"';
}

// ----------------------------------------------------------------- properties

RandomProperty RandomEntities::NextProperty(std::u16string name) {
  RandomProperty property{std::move(name), {}, {}, {}};
  switch (Below(8)) {
    case 0:
      FillString(property);
      break;
    case 1:
      FillInteger(property, false);
      break;
    case 2:
      FillInteger(property, true);
      break;
    case 3:
      FillDouble(property);
      break;
    case 4:
      property.sent = property.answered = OneIn(2) ? "true" : "false";
      break;
    case 5:
      FillDateTime(property);
      break;
    case 6:
      FillGuid(property);
      break;
    default:
      FillBinary(property);
      break;
  }
  return property;
}

void RandomEntities::FillString(RandomProperty& property) {
  const std::u16string text = NextText(OneIn(2000) ? 32'768 : 40);
  property.sent = Spelled(text);
  property.answered = Quoted(text);
}

void RandomEntities::FillInteger(RandomProperty& property, bool is_long) {
  using Limits32 = std::numeric_limits<std::int32_t>;
  using Limits64 = std::numeric_limits<std::int64_t>;
  const std::int64_t edges[] = {0, -1,
                                is_long ? Limits64::max() : Limits32::max(),
                                is_long ? Limits64::min() : Limits32::min()};
  auto value = static_cast<std::int64_t>(random_()) >> Below(64);
  if (!is_long) value = static_cast<std::int32_t>(value);
  if (OneIn(4)) value = edges[Below(4)];
  property.sent = property.answered = std::to_string(value);
  if (!is_long) return;
  property.annotation = "Edm.Int64";
  property.answered = '"' + property.answered + '"';
  if (OneIn(2)) property.sent = property.answered;
}

void RandomEntities::FillDouble(RandomProperty& property) {
  using Limits = std::numeric_limits<double>;
  constexpr double kEdges[] = {0.0,
                               -0.0,
                               1.0,
                               Limits::max(),
                               -Limits::max(),
                               Limits::min(),
                               Limits::denorm_min(),
                               Limits::epsilon(),
                               1e15,
                               1e14,
                               123456789012345680.0,
                               1e-5,
                               0.0001,
                               1.0 / 3,
                               9007199254740993.0,
                               Limits::quiet_NaN(),
                               Limits::infinity(),
                               -Limits::infinity()};
  double value = 0;
  switch (Below(3)) {
    case 0:
      value = kEdges[Below(std::size(kEdges))];
      break;
    case 1:
      value = std::bit_cast<double>(random_());
      break;
    default:
      value = static_cast<double>(static_cast<std::int64_t>(Below(2'000'000)) -
                                  1'000'000) /
              std::pow(10, static_cast<double>(Below(8)));
      break;
  }
  if (std::isfinite(value)) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    property.sent = text;
    // Else it could be taken for an Int32.
    if (property.sent.find_first_of(".e") == std::string::npos) {
      property.sent += ".0";
    }
    property.answered = DoubleText(value);
    property.number = value;
  } else {
    property.annotation = "Edm.Double";
    property.sent = std::isnan(value) ? "\"NaN\""
                    : value > 0       ? "\"Infinity\""
                                      : "\"-Infinity\"";
    property.answered = property.sent;
  }
}

void RandomEntities::FillDateTime(RandomProperty& property) {
  std::string text = Format("%04u", static_cast<unsigned>(1601 + Below(8399)));
  text += Format("-%02u", static_cast<unsigned>(1 + Below(12)));
  text += Format("-%02uT", static_cast<unsigned>(1 + Below(28)));
  text += Format("%02u", static_cast<unsigned>(Below(24)));
  text += Format(":%02u", static_cast<unsigned>(Below(60)));
  text += Format(":%02u", static_cast<unsigned>(Below(60)));
  if (OneIn(8)) text = "9999-12-31T23:59:59";
  std::string fraction;
  for (std::size_t digits = Below(8); fraction.size() < digits;) {
    fraction += static_cast<char>('0' + Below(10));
  }
  property.annotation = "Edm.DateTime";
  property.sent = text + (fraction.empty() ? "" : "." + fraction);
  property.sent = '"' + property.sent + (OneIn(4) ? "\"" : "Z\"");
  while (fraction.ends_with('0')) fraction.pop_back();
  property.answered =
      '"' + text + (fraction.empty() ? "" : "." + fraction) + "Z\"";
}

void RandomEntities::FillGuid(RandomProperty& property) {
  const bool is_upper = OneIn(2);
  std::string sent;
  std::string answered;
  for (const char c :
       std::string_view("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")) {
    const std::size_t digit = Below(16);
    sent += c == '-'
                ? c
                : (is_upper ? "0123456789ABCDEF" : "0123456789abcdef")[digit];
    answered += c == '-' ? c : "0123456789abcdef"[digit];
  }
  property.annotation = "Edm.Guid";
  property.sent = '"' + sent + '"';
  property.answered = '"' + answered + '"';
}

void RandomEntities::FillBinary(RandomProperty& property) {
  std::string bytes(OneIn(2000) ? 65'536 : Below(20), '\0');
  for (char& byte : bytes) byte = static_cast<char>(random_());
  property.annotation = "Edm.Binary";
  property.sent = property.answered = '"' + Base64(bytes) + '"';
}

// -------------------------------------------------------------------- answers

std::string AnsweredBody(const RandomEntity& entity, AnswerLevel level,
                         std::string_view table, std::string_view time) {
  const std::string name(table);
  const std::string link = name +
                           "(PartitionKey=" + KeyLiteral(entity.partition_key) +
                           ",RowKey=" + KeyLiteral(entity.row_key) + ")";
  std::string base(kBaseUrl);
  std::string tag;
  for (const char c : time) {
    tag += c == ':' ? std::string("%3A") : std::string(1, c);
  }
  std::string body = "{";
  const bool is_full = level == AnswerLevel::kFull;
  if (level != AnswerLevel::kNone) {
    body +=
        "\"odata.metadata\":\"" + base + "$metadata#" + name + "/@Element\",";
    if (is_full) {
      body += "\"odata.type\":\"acct." + name + "\",\"odata.id\":\"" + base +
              link + "\",";
    }
    body += R"("odata.etag":"W/\"datetime')" + tag + R"('\"",)";
    if (is_full) body += "\"odata.editLink\":\"" + link + "\",";
  }
  body += "\"PartitionKey\":" + Quoted(entity.partition_key) +
          ",\"RowKey\":" + Quoted(entity.row_key);
  if (is_full) body += R"(,"Timestamp@odata.type":"Edm.DateTime")";
  body.append(",\"Timestamp\":\"").append(time).append("\"");
  for (const RandomProperty& property : entity.properties) {
    const std::string quoted = Quoted(property.name);
    std::string type = property.annotation;
    if (level == AnswerLevel::kTyped && property.number &&
        std::trunc(*property.number) == *property.number) {
      type = "Edm.Double";
    }
    if (level == AnswerLevel::kNone) type.clear();
    if (!type.empty()) {
      body += ',' + quoted.substr(0, quoted.size() - 1) + "@odata.type\":\"" +
              type + '"';
    }
    body += ',' + quoted + ':' + property.answered;
  }
  return body + '}';
}

void CopyDoubles(std::string_view answer, RandomEntity& entity) {
  for (RandomProperty& property : entity.properties) {
    if (!property.number || *property.number == 0) continue;
    const std::string start = ',' + Quoted(property.name) + ':';
    const std::size_t at = answer.find(start);
    if (at == std::string_view::npos) continue;
    std::string_view text = answer.substr(at + start.size());
    text = text.substr(0, text.find_first_of(",}"));
    if (IsAsGood(text, *property.number, property.answered)) {
      property.answered = text;
    }
  }
}

}  // namespace entitable
