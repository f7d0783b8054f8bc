#include "sync/remote_messages.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/json_reader.h"
#include "base/json_writer.h"
#include "model/entity_reader.h"
#include "sync/pull.h"
#include "wire/entity_writer.h"

namespace entitable::sync {
namespace {

std::string_view MethodOf(RequestKind kind) {
  switch (kind) {
    case RequestKind::kInsert:
      return "POST ";
    case RequestKind::kReplace:
      return "PUT ";
    default:
      return "DELETE ";
  }
}

void AppendOperation(const BatchTarget& target, const PushOperation& operation,
                     std::string& out) {
  out.append(
      "Content-Type: application/http\r\n"
      "Content-Transfer-Encoding: binary\r\n\r\n");
  out.append(MethodOf(operation.kind)).append(target.base_url).append("/");
  const bool is_insert = operation.kind == RequestKind::kInsert;
  if (is_insert) {
    out.append(target.table);
  } else {
    out.append(EntityEditLink(target.table, operation.key.view()));
  }
  out.append(
      " HTTP/1.1\r\nAccept: application/json;odata=minimalmetadata\r\n"
      "DataServiceVersion: 3.0;\r\n");
  if (is_insert) out.append("Prefer: return-no-content\r\n");
  if (!is_insert) {
    out.append("If-Match: ").append(operation.etag).append("\r\n");
  }
  if (operation.value) {
    out.append("Content-Type: application/json\r\n\r\n");
    AppendRequestEntity(operation.key.view(), *operation.value, out);
  } else {
    out.append("\r\n");
  }
  out.append("\r\n");
}

}  // namespace

// The two boundaries enclose one change set, the only thing that a batch may
// have:
//
//   --batch_entitable_7
//   Content-Type: multipart/mixed; boundary=changeset_entitable_7
//
//   --changeset_entitable_7
//   (headers, empty line, request line, headers, empty line, JSON)
//   ...
//   --changeset_entitable_7--
//
//   --batch_entitable_7--
//
// They have the number of the request, so a repeated request is the same text.
BatchBody MakeBatch(const BatchTarget& target, const PushRequest& request) {
  // No part begins a line with this: all JSON here is one line.
  std::string number;
  AppendUnsigned(request.number, number);
  const std::string batch = "batch_entitable_" + number;
  const std::string changes = "changeset_entitable_" + number;
  BatchBody body{.content_type = "multipart/mixed; boundary=" + batch};
  std::string& out = body.text;
  out.append("--").append(batch).append(
      "\r\nContent-Type: multipart/mixed; boundary=");
  out.append(changes).append("\r\n\r\n");
  for (const PushOperation& operation : request.operations) {
    out.append("--").append(changes).append("\r\n");
    AppendOperation(target, operation, out);
  }
  out.append("--").append(changes).append("--\r\n\r\n--");
  out.append(batch).append("--\r\n");
  return body;
}

// --------------------------------------------------------------- remote answer

namespace {

// ---------------------------------------------------------------------- JSON

void SkipSpace(std::string_view& text) {
  const std::size_t end = text.find_first_not_of(" \t\r\n");
  text.remove_prefix(std::min(end, text.size()));
}

// Takes a text with its quotes, escapes as they are.  Nothing if there is none.
std::optional<std::string_view> ReadQuoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::nullopt;
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  if (at >= text.size()) return std::nullopt;
  const std::string_view quoted = text.substr(0, at + 1);
  text.remove_prefix(at + 1);
  return quoted;
}

// The text behind the first member of this name, at any depth.
std::string MemberText(std::string_view json, std::string_view name) {
  const std::string quoted_name = '"' + std::string(name) + '"';
  const std::size_t at = json.find(quoted_name);
  if (at == std::string_view::npos) return {};
  json.remove_prefix(at + quoted_name.size());
  SkipSpace(json);
  if (!json.starts_with(':')) return {};
  json.remove_prefix(1);
  SkipSpace(json);
  const auto quoted = ReadQuoted(json);
  if (!quoted) return {};
  const std::string object = "{\"text\":" + std::string(*quoted) + "}";
  JsonReader reader;
  const auto members = reader.ReadFlatObject({object, object.size()});
  if (!members || members->front().kind != JsonMember::Kind::kString) return {};
  return std::string(members->front().text);
}

// Without what the service puts around a message: the index of the operation,
// and the lines with the id of the request and its time.
std::string SentenceOf(std::string message) {
  message.resize(std::min(message.find("\nRequestId:"), message.size()));
  if (message.ends_with('\r')) message.pop_back();
  const std::size_t digits = message.find_first_not_of("0123456789");
  const bool has_index =
      digits > 0 && digits < message.size() && message[digits] == ':';
  if (has_index) message.erase(0, digits + 1);
  return message;
}

// --------------------------------------------------------------------- batch

constexpr std::string_view kStatusLine = "HTTP/1.1 ";

// Without its end, which is CRLF or LF.
std::string_view ReadLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

int StatusIn(std::string_view line) {
  int status = 0;
  line.remove_prefix(kStatusLine.size());
  for (const char c : line.substr(0, 3)) {
    if (!IsAsciiDigit(c)) return 0;
    status = status * 10 + (c - '0');
  }
  return status;
}

// The value of the header in the line; nothing if it is another one.
std::optional<std::string_view> HeaderIn(std::string_view line,
                                         std::string_view name) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos ||
      !EqualsIgnoringAsciiCase(line.substr(0, colon), name)) {
    return std::nullopt;
  }
  line.remove_prefix(colon + 1);
  SkipSpace(line);
  return line;
}

// ---------------------------------------------------------------------- page

// Takes the beginning of a feed, up to the array of its entities.
bool SkipToArray(std::string_view& text) {
  SkipSpace(text);
  if (!text.starts_with('{')) return false;
  while (!text.empty()) {
    text.remove_prefix(1);  // The brace, or a comma.
    SkipSpace(text);
    const auto name = ReadQuoted(text);
    SkipSpace(text);
    if (!name || !text.starts_with(':')) return false;
    text.remove_prefix(1);
    SkipSpace(text);
    if (*name == "\"value\"") return text.starts_with('[');
    if (!ReadQuoted(text)) return false;
    SkipSpace(text);
    if (!text.starts_with(',')) return false;
  }
  return false;
}

std::string EtagIn(JsonReader& reader, JsonText body) {
  const auto members = reader.ReadFlatObject(body);
  if (!members) return {};
  const auto etag =
      std::ranges::find(*members, "odata.etag", &JsonMember::name);
  return etag == members->end() ? std::string() : std::string(etag->text);
}

void AddRow(JsonReader& reader, JsonText body, EntityPage& page) {
  NewEntity entity;
  Report report;
  std::string etag = EtagIn(reader, body);
  if (ReadNewEntity(reader, body, Profile::kDefault, report, entity) &&
      !etag.empty()) {
    page.rows.push_back({std::move(entity.key),
                         {std::move(etag), std::move(entity.properties)}});
    return;
  }
  page.refused.push_back({report.is_clean() ? "The row has no ETag."
                                            : report.FirstError().message});
  if (entity.has_key) page.refused.back().key = std::move(entity.key);
}

}  // namespace

RemoteError ReadError(std::string_view body) {
  return {MemberText(body, "code"), SentenceOf(MemberText(body, "value"))};
}

// No boundary is needed to read the answer.  Each part has a status line, and
// no other line begins like it, because a body is one line of JSON.  An answer
// that ends within the headers of a part is cut, and what it says about that
// part is left out.
BatchAnswer ReadBatchAnswer(std::string_view text) {
  BatchAnswer answer;
  while (!text.empty()) {
    const std::string_view line = ReadLine(text);
    if (!line.starts_with(kStatusLine)) continue;
    answer.status = StatusIn(line);
    std::string etag;
    bool has_ended = false;
    while (!text.empty() && !has_ended) {
      const std::string_view header = ReadLine(text);
      has_ended = header.empty();
      if (const auto value = HeaderIn(header, "ETag")) etag = *value;
    }
    if (!has_ended) break;  // The answer is cut.
    if (answer.status >= 400) {
      answer.error = ReadError(text);
      answer.etags.clear();
      return answer;
    }
    answer.etags.push_back(std::move(etag));
  }
  return answer;
}

// The entities are read one by one, so that one that cannot be stored here does
// not spoil the page.  A text that was cut is no page at all.
EntityPage ReadEntityPage(JsonReader& reader, std::string_view text) {
  EntityPage page;
  if (!SkipToArray(text)) return page;
  JsonSplitter splitter;
  splitter.Feed({text.substr(0, text.rfind(']') + 1), text.size()});
  while (splitter.Next() == JsonSplitter::Found::kObject) {
    AddRow(reader, splitter.object(), page);
  }
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  page.is_whole = splitter.may_end() && text.contains(']') && text[last] == '}';
  return page;
}

}  // namespace entitable::sync
