#include "protocol/headers.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/date_time.h"
#include "base/number.h"

namespace entitable {
namespace {

constexpr std::size_t kMaxClientRequestId = 1024;

// The first version with JSON ("Versioning for the Azure Storage services").
// Some old clients send it, for example azure-table-node.
constexpr std::string_view kFirstVersion = "2013-08-15";

// The text before the first separator.
std::string_view Before(char separator, std::string_view text) {
  return Trimmed(text.substr(0, text.find(separator)));
}

constexpr bool IsControl(char c) {
  return (c >= 0 && c < ' ' && c != '\t') || c == '\x7F';
}

bool IsODataVersion(std::string_view text) {
  const std::string_view number = Before(';', text);
  return number == "1.0" || number == "2.0" || number == "3.0" ||
         number == "1" || number == "2" || number == "3";
}

bool IsTunnelled(std::string_view method) {
  return method == "MERGE" || method == "PATCH" || method == "PUT" ||
         method == "DELETE";
}

}  // namespace

// A version is a date.  All later ones are accepted, too.
bool IsVersion(std::string_view text) {
  return text.size() == kFirstVersion.size() && DateTime::Parse(text) &&
         text >= kFirstVersion;
}

bool IsHeaderValue(std::string_view text) {
  return std::ranges::none_of(text, IsControl);
}

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

std::optional<std::string> HeaderList::Find(std::string_view name) const {
  std::optional<std::string> found;
  for (const HttpRequest::Header& header : headers_) {
    if (!EqualsIgnoringAsciiCase(header.name, name)) continue;
    if (found) {
      found->append(", ");
    } else {
      found.emplace();
    }
    found->append(Trimmed(header.value));
  }
  return found;
}

Result<void> CheckHeaders(const std::vector<HttpRequest::Header>& headers) {
  const HeaderList list(headers);
  const auto version = list.Find("x-ms-version");
  bool is_right = !version || IsVersion(*version);
  for (const char* name : {"DataServiceVersion", "MaxDataServiceVersion"}) {
    const auto odata = list.Find(name);
    is_right = is_right && (!odata || IsODataVersion(*odata));
  }
  is_right = is_right && list.TextOf("x-ms-client-request-id").size() <=
                             kMaxClientRequestId;
  for (const HttpRequest::Header& header : headers) {
    is_right = is_right && IsHeaderValue(header.value);
  }
  if (!is_right) return Fail(ErrorCode::kInvalidHeaderValue);
  return {};
}

Result<std::string> EffectiveMethod(std::string_view method,
                                    const HeaderList& headers) {
  const auto tunnelled = headers.Find("X-HTTP-Method");
  if (!tunnelled) return std::string(method);
  if (method != "POST") return Fail(ErrorCode::kXMethodNotUsingPost);
  if (tunnelled->contains(',')) return Fail(ErrorCode::kXMethodIncorrectCount);
  if (!IsTunnelled(*tunnelled)) return Fail(ErrorCode::kXMethodIncorrectValue);
  return *tunnelled;
}

Result<void> CheckContentType(const HeaderList& headers) {
  const std::string content_type = headers.TextOf("Content-Type");
  const std::string type = ToLowerAscii(Before(';', content_type));
  if (type == "application/json") return {};
  return Fail(type == "application/atom+xml"
                  ? ErrorCode::kAtomFormatNotSupported
                  : ErrorCode::kMediaTypeNotSupported);
}

Preference ReadPreference(const HeaderList& headers) {
  const std::string prefer = headers.TextOf("Prefer");
  if (prefer == "return-content") return Preference::kContent;
  if (prefer == "return-no-content") return Preference::kNoContent;
  return Preference::kNone;
}

// ---------------------------------------------------------------------- accept

namespace {

// Removes and returns the text before the next separator, and removes the
// separator.
std::string_view ReadUntil(char separator, std::string_view& text) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

std::optional<MetadataLevel> LevelNamed(std::string_view name) {
  if (name.empty() || name == "minimalmetadata") return MetadataLevel::kMinimal;
  if (name == "nometadata") return MetadataLevel::kNone;
  if (name == "fullmetadata") return MetadataLevel::kFull;
  return std::nullopt;
}

struct MediaRange {
  std::string_view type;
  std::string_view odata = {};
  double quality = 1;

  bool is_json() const {
    return type == "application/json" || type == "application/*" ||
           type == "*/*" || type == "json";
  }
  bool is_xml() const {
    return type == "application/atom+xml" || type == "application/xml" ||
           type == "atom";
  }
};

MediaRange ReadRange(std::string_view text) {
  MediaRange range{ReadUntil(';', text)};
  while (!text.empty()) {
    std::string_view value = ReadUntil(';', text);
    const std::string_view name = ReadUntil('=', value);
    if (name == "odata") range.odata = value;
    if (name == "q") range.quality = ParseDouble(value).value_or(0);
  }
  return range;
}

// Lower case, without blanks: neither has a meaning in this header.
std::string Normalized(std::string_view text) {
  std::string normalized = ToLowerAscii(text);
  std::erase_if(normalized, [](char c) { return c == ' ' || c == '\t'; });
  return normalized;
}

}  // namespace

bool AsksForJson(std::string_view accept) {
  const std::string text = Normalized(accept);
  for (std::string_view rest = text; !rest.empty();) {
    const MediaRange range = ReadRange(ReadUntil(',', rest));
    if (range.is_json() && !range.type.ends_with('*') && range.quality > 0) {
      return true;
    }
  }
  return false;
}

// Ranges with an unknown level count as not supported, so a better-known one
// behind them wins.  XML is remembered only for the sake of the error.
Result<MetadataLevel> NegotiateLevel(std::string_view accept) {
  const std::string text = Normalized(accept);
  std::string_view rest = text;
  if (rest.empty()) return MetadataLevel::kMinimal;

  std::optional<MetadataLevel> best;
  double best_quality = 0;
  bool accepts_xml = false;
  while (!rest.empty()) {
    const MediaRange range = ReadRange(ReadUntil(',', rest));
    if (range.quality <= 0) continue;
    accepts_xml = accepts_xml || range.is_xml();
    if (!range.is_json() || range.quality <= best_quality) continue;
    if (const auto level = LevelNamed(range.odata)) {
      best = level;
      best_quality = range.quality;
    }
  }
  if (best) return *best;
  return Fail(accepts_xml ? ErrorCode::kAtomFormatNotSupported
                          : ErrorCode::kMediaTypeNotSupported);
}

}  // namespace entitable
