#include "protocol/headers.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "base/date_time.h"

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

}  // namespace entitable
