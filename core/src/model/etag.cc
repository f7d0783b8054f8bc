#include "model/etag.h"

namespace entitable {
namespace {

std::string EtagContent(DateTime timestamp, std::string_view colon) {
  std::string content = "datetime'";
  for (const char c : timestamp.ToString()) {
    if (c == ':') {
      content.append(colon);
    } else {
      content.push_back(c);
    }
  }
  content.push_back('\'');
  return content;
}

std::unexpected<Error> FailWithHeader(std::string_view header) {
  std::string text = "The etag value '";
  text.append(header);
  text.append(
      "' specified in one of the request headers is not valid. Please make "
      "sure only one etag value is specified and is valid.");
  return Fail(ErrorCode::kInvalidInput, std::move(text));
}

}  // namespace

std::string FormatEtag(DateTime timestamp) {
  return "W/\"" + EtagContent(timestamp, "%3A") + '"';
}

Result<EtagCondition> EtagCondition::Parse(std::string_view header) {
  if (header == "*") return EtagCondition(true, {});

  const bool is_weak = header.starts_with("W/\"") || header.starts_with("w/\"");
  if (!is_weak) return FailWithHeader(header);
  const std::string_view content = header.substr(3);
  // The closing quote must be the only one left: a second tag would bring more.
  if (content.empty() || content.find('"') != content.size() - 1) {
    return FailWithHeader(header);
  }
  return EtagCondition(false, content.substr(0, content.size() - 1));
}

bool EtagCondition::Matches(DateTime timestamp) const {
  return is_any_ || content_ == EtagContent(timestamp, "%3A") ||
         content_ == EtagContent(timestamp, ":");
}

}  // namespace entitable
