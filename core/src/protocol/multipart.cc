#include "protocol/multipart.h"

#include <algorithm>
#include <cstdint>

#include "base/ascii.h"
#include "protocol/headers.h"

namespace entitable {
namespace {

// Clients send about ten.
constexpr std::size_t kMaxPartHeaders = 100;

// Including its line end.
std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end);
  return line;
}

std::string_view WithoutLineEnd(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

enum class Delimiter : std::uint8_t { kNone, kNext, kLast };

Delimiter DelimiterIn(std::string_view line, std::string_view boundary) {
  if (!line.starts_with("--")) return Delimiter::kNone;
  line.remove_prefix(2);
  if (!line.starts_with(boundary)) return Delimiter::kNone;
  const std::string_view end = Trimmed(line.substr(boundary.size()));
  if (end.empty()) return Delimiter::kNext;
  return end == "--" ? Delimiter::kLast : Delimiter::kNone;
}

}  // namespace

std::string BoundaryOf(std::string_view content_type) {
  constexpr std::string_view kName = "boundary=";
  const std::string folded = ToLowerAscii(content_type);
  const std::size_t name = folded.find(kName);
  if (!folded.starts_with("multipart/mixed") || name == std::string::npos) {
    return {};
  }
  std::string_view value = content_type.substr(name + kName.size());
  value = Trimmed(value.substr(0, value.find(';')));
  if (value.starts_with('"')) value.remove_prefix(1);
  if (value.ends_with('"')) value.remove_suffix(1);
  return std::string(value);
}

bool SplitParts(std::string_view body, std::string_view boundary,
                std::size_t limit, std::vector<std::string_view>& parts) {
  const char* start = nullptr;  // The start of the current part.
  while (!body.empty()) {
    const std::string_view line = TakeLine(body);
    const Delimiter delimiter = DelimiterIn(line, boundary);
    if (delimiter == Delimiter::kNone) continue;
    if (start != nullptr) {
      parts.push_back(WithoutLineEnd({start, line.data()}));
    }
    if (delimiter == Delimiter::kLast || parts.size() == limit) return true;
    start = body.data();
  }
  // The last delimiter may look like the others.
  return start == nullptr || Trimmed({start, body.data()}).empty();
}

bool TakeHeaders(std::string_view& text,
                 std::vector<HttpRequest::Header>& headers) {
  while (!text.empty()) {
    const std::string_view line = Trimmed(TakeLine(text));
    if (line.empty()) return true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || headers.size() == kMaxPartHeaders) {
      return false;
    }
    headers.push_back({line.substr(0, colon), line.substr(colon + 1)});
  }
  return true;
}

bool TakeRequestLine(std::string_view& text, HttpRequest& request) {
  std::string_view line;
  while (line.empty()) {
    if (text.empty()) return false;
    line = Trimmed(TakeLine(text));
  }
  // The target may contain blanks between its keys.
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(" HTTP/");
  if (last == std::string_view::npos || first >= last) return false;
  request.method = line.substr(0, first);
  request.target = Trimmed(line.substr(first, last - first));
  return true;
}

}  // namespace entitable
