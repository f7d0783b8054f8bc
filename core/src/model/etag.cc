#include "model/etag.h"

namespace entitable {
namespace {

void AppendContent(std::string_view text, std::string_view colon,
                   TextBuffer& out) {
  // YYYY-MM-DDThh:mm:ss...: the colons are at fixed positions.
  out += "datetime'";
  (out += text.substr(0, 13)) += colon;
  (out += text.substr(14, 2)) += colon;
  (out += text.substr(17)) += '\'';
}

std::string EtagContent(DateTime timestamp, std::string_view colon) {
  std::string content;
  {
    TextBuffer out(content);
    AppendContent(timestamp.ToText().view(), colon, out);
  }
  return content;
}

Error FailWithHeader(std::string_view header) {
  std::string text = "The etag value '";
  text.append(header);
  text.append(
      "' specified in one of the request headers is not valid. Please make "
      "sure only one etag value is specified and is valid.");
  return Fail(ErrorCode::kInvalidInput, std::move(text));
}

}  // namespace

std::string FormatEtag(DateTime timestamp) {
  std::string etag;
  {
    TextBuffer out(etag);
    AppendEtag(timestamp.ToText().view(), out);
  }
  return etag;
}

void AppendEtag(std::string_view time, TextBuffer& out) {
  out += "W/\"";
  AppendContent(time, "%3A", out);
  out += '"';
}

Result<EtagCondition> EtagCondition::Parse(std::string_view header) {
  if (header == "*") return EtagCondition(true, {});

  const bool is_weak = header.starts_with("W/\"") || header.starts_with("w/\"");
  if (!is_weak) return FailWithHeader(header);
  const std::string_view content = header.substr(3);
  // There must be no other quote before the closing one: that would be a second
  // tag.
  if (content.empty() || content.find('"') != content.size() - 1) {
    return FailWithHeader(header);
  }
  return EtagCondition(false, content.substr(0, content.size() - 1));
}

// The tag of the entity is made and compared as text.  To parse the tag of the
// request instead would accept other spellings of the same time.
bool EtagCondition::Matches(DateTime timestamp) const {
  return is_any_ || content_ == EtagContent(timestamp, "%3A") ||
         content_ == EtagContent(timestamp, ":");
}

}  // namespace entitable
