// Read() checks the whole text once, with a stack of the brackets that are
// open.  All that looks into the text afterwards relies on it, and so needs no
// check: the end of a value is where its brackets are closed.

#include "model/json_value.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/number.h"
#include "base/utf.h"

namespace entitable {
namespace {

void SkipBlanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
}

bool Skip(std::string_view& rest, std::size_t size) {
  rest.remove_prefix(size);
  return size > 0;
}

std::size_t CountDigits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsAsciiDigit) -
                                  text.begin());
}

// Of an escape; nothing if there are none.
std::optional<char32_t> ReadHex(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  char32_t number = 0;
  for (const char digit : text.substr(0, 4)) {
    const int value = HexDigitValue(digit);
    if (value < 0) return std::nullopt;
    number = number << 4 | static_cast<char32_t>(value);
  }
  return number;
}

// The sizes of what the text begins with; 0 if it is something else.

std::size_t StringSize(std::string_view text) {
  for (std::size_t i = 1; i < text.size();) {
    if (text[i] == '"') return i + 1;
    if (static_cast<unsigned char>(text[i]) < ' ') return 0;
    if (text[i++] != '\\') continue;
    if (i == text.size()) return 0;
    const bool is_code = text[i] == 'u' && ReadHex(text.substr(i + 1));
    if (!is_code && !std::string_view("\"\\/bfnrt").contains(text[i])) return 0;
    i += is_code ? 5 : 1;
  }
  return 0;
}

std::size_t NumberSize(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('-')) rest.remove_prefix(1);
  if (!Skip(rest, rest.starts_with('0') ? 1 : CountDigits(rest))) return 0;
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    if (!Skip(rest, CountDigits(rest))) return 0;
  }
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
    if (!Skip(rest, CountDigits(rest))) return 0;
  }
  return text.size() - rest.size();
}

std::size_t ScalarSize(std::string_view text) {
  if (text.starts_with('"')) return StringSize(text);
  for (const std::string_view word : {"true", "false", "null"}) {
    if (text.starts_with(word)) return word.size();
  }
  return NumberSize(text);
}

bool Opens(char c) { return c == '[' || c == '{'; }

// Of any value of valid JSON.
std::size_t ValueSize(std::string_view text) {
  if (!Opens(text.front())) return ScalarSize(text);
  std::size_t at = 0;
  for (std::size_t depth = 0;;) {
    const char c = text[at];
    if (c == '"') {
      at += StringSize(text.substr(at));
      continue;
    }
    ++at;
    if (Opens(c)) ++depth;
    if ((c == ']' || c == '}') && --depth == 0) return at;
  }
}

// Skips the name of a member, and the colon.
bool SkipName(std::string_view& rest) {
  if (!rest.starts_with('"') || !Skip(rest, StringSize(rest))) return false;
  SkipBlanks(rest);
  return Skip(rest, rest.starts_with(':') ? 1 : 0);
}

bool IsJson(std::string_view rest) {
  std::string open;  // What closes the brackets that are open.
  for (bool is_first = false;;) {
    SkipBlanks(rest);
    const bool is_empty = is_first && rest.starts_with(open.back());
    if (!is_empty) {
      if (open.ends_with('}') && !SkipName(rest)) return false;
      SkipBlanks(rest);
      is_first = !rest.empty() && Opens(rest.front());
      if (is_first) {
        open += rest.front() == '[' ? ']' : '}';
        rest.remove_prefix(1);
        continue;
      }
      if (!Skip(rest, ScalarSize(rest))) return false;
    }
    is_first = false;
    for (bool is_closed = true; is_closed;) {
      SkipBlanks(rest);
      if (open.empty()) return rest.empty();
      is_closed = rest.starts_with(open.back());
      if (!is_closed && !rest.starts_with(',')) return false;
      if (is_closed) open.pop_back();
      rest.remove_prefix(1);
    }
  }
}

// Returns false for a lone surrogate, of which there is no UTF-8.
bool Unescape(std::string_view raw, std::string& text) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeanings = "\b\f\n\r\t";
  text.clear();
  while (!raw.empty()) {
    const std::size_t plain = std::min(raw.find('\\'), raw.size());
    text += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const char c = raw[1];
    const std::size_t letter = kLetters.find(c);
    raw.remove_prefix(2);
    if (c != 'u') {
      text += letter == kLetters.npos ? c : kMeanings[letter];
      continue;
    }
    char32_t code = *ReadHex(raw);
    raw.remove_prefix(4);
    if (code >= 0xD800 && code < 0xE000) {
      const char32_t low = raw.starts_with("\\u") ? *ReadHex(raw.substr(2)) : 0;
      if (code >= 0xDC00 || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      raw.remove_prefix(6);
    }
    AppendUtf8(code, text);
  }
  return true;
}

}  // namespace

std::optional<JsonValue> JsonValue::Read(std::string_view text) {
  if (!IsJson(text)) return std::nullopt;
  SkipBlanks(text);
  return JsonValue(text);
}

std::optional<JsonValue> JsonValue::At(std::string_view path) const {
  std::optional<JsonValue> at = *this;
  while (at && !path.empty()) {
    path.remove_prefix(1);
    const std::string_view step = path.substr(0, path.find('\0'));
    path.remove_prefix(step.size());
    const auto number = at->is_array() ? ParseInt64(step) : std::nullopt;
    std::int64_t next = 0;
    JsonElements elements(*at);
    at.reset();
    while (elements.Next()) {
      if (number ? next++ == *number : elements.HasName(step)) {
        at = elements.value();
      }
    }
  }
  return at;
}

std::optional<Value> JsonValue::Scalar(std::string& room) const {
  const char first = text_.front();
  if (first == 't' || first == 'f') return Value::Boolean(first == 't');
  if (first == 'n' || Opens(first)) return std::nullopt;
  const std::string_view scalar = text_.substr(0, ScalarSize(text_));
  if (first == '"') {
    const std::string_view raw = scalar.substr(1, scalar.size() - 2);
    if (!raw.contains('\\')) return Value::String(raw);
    if (!Unescape(raw, room)) return std::nullopt;
    return Value::String(room);
  }
  if (const auto whole = ParseInt64(scalar)) return Value::Int64(*whole);
  const auto number = ParseDouble(scalar);
  if (!number) return std::nullopt;
  return Value::Double(*number);
}

JsonElements::JsonElements(const JsonValue& value)
    : rest_(value.text_), have_names_(rest_.starts_with('{')) {
  rest_.remove_prefix(1);
  if (!have_names_ && !value.is_array()) rest_ = {};
}

bool JsonElements::Next() {
  SkipBlanks(rest_);
  if (rest_.starts_with(',')) rest_.remove_prefix(1);
  SkipBlanks(rest_);
  const bool is_end =
      rest_.empty() || rest_.front() == ']' || rest_.front() == '}';
  if (is_end) return false;
  if (have_names_) {
    name_ = rest_.substr(1, StringSize(rest_) - 2);
    SkipName(rest_);
    SkipBlanks(rest_);
  }
  value_ = rest_.substr(0, ValueSize(rest_));
  rest_.remove_prefix(value_.size());
  return true;
}

bool JsonElements::HasName(std::string_view name) const {
  if (!have_names_ || !name_.contains('\\'))
    return have_names_ && name_ == name;
  std::string room;
  return Unescape(name_, room) && room == name;
}

}  // namespace entitable
