#include "support/conformance/macros.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/ascii.h"
#include "base/text_encodings.h"

namespace entitable {
namespace {

// What {{any}} and {{digit}} become: characters that no answer has.
constexpr char kAny = '\x02';
constexpr char kDigit = '\x01';

std::string Replaced(std::string_view text, char from, std::string_view to) {
  std::string replaced;
  for (const char c : text) {
    if (c == from) {
      replaced += to;
    } else {
      replaced += c;
    }
  }
  return replaced;
}

// `63*a` and `252,"P#":1`.
std::optional<std::string> Repeated(std::string_view macro) {
  const auto digits = static_cast<std::size_t>(
      std::ranges::find_if_not(macro, IsAsciiDigit) - macro.begin());
  if (digits == 0 || digits == macro.size()) return std::nullopt;
  const int count = std::stoi(std::string(macro.substr(0, digits)));
  const bool is_list = macro[digits] == ',';
  if (!is_list && macro[digits] != '*') return std::nullopt;
  const std::string_view piece = macro.substr(digits + 1);
  std::string text;
  for (int i = 1; i <= count; ++i) {
    if (is_list && i > 1) text += ',';
    text += is_list ? Replaced(piece, '#', std::to_string(i)) : piece;
  }
  return text;
}

std::optional<std::string> Variable(std::string_view macro,
                                    const Variables& variables) {
  if (macro == "any") return std::string(1, kAny);
  if (macro == "digit") return std::string(1, kDigit);
  const std::size_t bar = std::min(macro.find('|'), macro.size());
  const auto found = variables.find(std::string(macro.substr(0, bar)));
  if (found == variables.end()) return std::nullopt;
  const std::string& value = found->second;
  if (bar == macro.size()) return value;
  const std::string_view form = macro.substr(bar + 1);
  if (form == "colon") return Replaced(value, ':', "%3A");
  if (form == "encode") {
    std::string encoded;
    AppendPercentEncodedList(value, encoded);
    return encoded;
  }
  const auto width = static_cast<std::size_t>(std::stoi(std::string(form)));
  return std::string(width - std::min(width, value.size()), '0') + value;
}

}  // namespace

std::string Expand(std::string_view text, const Variables& variables) {
  std::string expanded(text);
  // From the right, so that inner ones come first.
  std::size_t at = expanded.rfind("{{");
  while (at != std::string::npos) {
    const std::size_t end = expanded.find("}}", at);
    if (end != std::string::npos) {
      const std::string macro = expanded.substr(at + 2, end - at - 2);
      auto value = Repeated(macro);
      if (!value) value = Variable(macro, variables);
      if (value) expanded.replace(at, end + 2 - at, *value);
    }
    if (at == 0) break;
    at = expanded.rfind("{{", at - 1);
  }
  return expanded;
}

bool MatchesPattern(std::string_view text, std::string_view pattern) {
  std::size_t at = 0;
  std::size_t expected = 0;
  std::optional<std::size_t> last_any;  // In the pattern, and where it began.
  std::size_t any_start = 0;
  while (at < text.size()) {
    const bool is_left = expected < pattern.size();
    if (is_left && pattern[expected] == kAny) {
      last_any = expected++;
      any_start = at;
    } else if (is_left &&
               (pattern[expected] == text[at] ||
                (pattern[expected] == kDigit && IsAsciiDigit(text[at])))) {
      ++expected;
      ++at;
    } else if (last_any) {
      expected = *last_any + 1;
      at = ++any_start;
    } else {
      return false;
    }
  }
  while (expected < pattern.size() && pattern[expected] == kAny) ++expected;
  return expected == pattern.size();
}

}  // namespace entitable
