#include "protocol/batch_request.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "model/limits.h"
#include "protocol/address.h"
#include "protocol/headers.h"
#include "request/operation_fields.h"

namespace entitable {
namespace {

// Clients send about ten.
constexpr std::size_t kMaxPartHeaders = 100;

// Including its line end.
std::string_view ReadLine(std::string_view& text) {
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

// Blanks behind a delimiter have no meaning.  What else follows makes it
// another text.
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
    const std::string_view line = ReadLine(body);
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

bool ReadHeaders(std::string_view& text,
                 std::vector<HttpRequest::Header>& headers) {
  while (!text.empty()) {
    const std::string_view line = Trimmed(ReadLine(text));
    if (line.empty()) return true;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos || headers.size() == kMaxPartHeaders) {
      return false;
    }
    headers.push_back({line.substr(0, colon), line.substr(colon + 1)});
  }
  return true;
}

bool ReadRequestLine(std::string_view& text, HttpRequest& request) {
  std::string_view line;
  while (line.empty()) {
    if (text.empty()) return false;
    line = Trimmed(ReadLine(text));
  }
  // The target may contain blanks between its keys.
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(" HTTP/");
  if (last == std::string_view::npos || first >= last) return false;
  request.method = line.substr(0, first);
  request.target = Trimmed(line.substr(first, last - first));
  return true;
}

// --------------------------------------------------------------- batch request

namespace {

// The error always has the index of the first request.
Error Unreadable() {
  Error error(ErrorCode::kInvalidInput);
  error.operation = 0;
  return error;
}

// The texts of the requests.  `kind` stays kNone if the body cannot be read.
std::vector<std::string_view> Split(const HttpRequest& request,
                                    BatchKind& kind) {
  const HeaderList headers(request.headers);
  std::string boundary = BoundaryOf(headers.TextOf("Content-Type"));
  std::vector<std::string_view> parts;
  // A batch has one change set or one query; a second part is an error.
  if (boundary.empty() || !SplitParts(request.body, boundary, 2, parts) ||
      parts.size() != 1) {
    return {};
  }
  std::string_view content = parts.front();
  HttpRequest part;
  if (!ReadHeaders(content, part.headers)) return {};
  boundary = BoundaryOf(HeaderList(part.headers).TextOf("Content-Type"));
  if (boundary.empty()) {
    kind = BatchKind::kQuery;
    return parts;
  }
  parts.clear();
  if (SplitParts(content, boundary, kMaxTransactionParts + 1, parts)) {
    kind = BatchKind::kChangeSet;
  }
  return parts;
}

// Returns false if the request is malformed.
//
// The headers before the request line are those of the part: they say only that
// a request follows, so they are dropped.
bool ReadRequest(std::string_view text, const HttpRequest& batch,
                 HttpRequest& request) {
  if (!ReadHeaders(text, request.headers)) return false;
  request.headers.clear();
  if (!ReadRequestLine(text, request) || !ReadHeaders(text, request.headers)) {
    return false;
  }
  request.request_id = batch.request_id;
  request.sas_permissions = batch.sas_permissions;
  request.body = text;
  const auto offset = static_cast<std::size_t>(text.data() - batch.body.data());
  request.body_capacity =
      std::max(batch.body_capacity, batch.body.size()) - offset;
  return true;
}

// The addresses in a batch may leave out the account.
std::string_view AccountPathIn(std::string_view target,
                               std::string_view account_path) {
  return PathInAccount(PathOfUrl(target), account_path) ? account_path : "";
}

Result<std::unique_ptr<ParsedRequest>> ParsePart(const HttpRequest& request,
                                                 std::string_view account_path,
                                                 RequestContext& context) {
  auto parsed = ParseRequest(
      request, AccountPathIn(request.target, account_path), context);
  // The answer to a part is always JSON.
  if (!context.level) context.level = MetadataLevel::kMinimal;
  // The answer repeats it in a header, even if the request is rejected.
  std::string content_id = HeaderList(request.headers).TextOf("Content-ID");
  if (IsHeaderValue(content_id)) context.content_id = std::move(content_id);
  constexpr int kUnsupportedMediaType = 415;
  const bool is_refused =
      parsed ? context.document != Document::kNone
             : HttpStatus(parsed.error().code) == kUnsupportedMediaType;
  if (is_refused) return Fail(ErrorCode::kInvalidInput);
  return parsed;
}

}  // namespace

// What makes the whole batch unreadable is answered as an error of the whole.
// As soon as the kind of the batch is known and a request in it is well
// written, a fault is that of an operation, and is answered in a part.
Result<ParsedBatch> ParseBatch(const HttpRequest& request,
                               std::string_view account_path,
                               RequestContext& context) {
  if (request.body.size() > kMaxBodyBytes) {
    return Fail(ErrorCode::kRequestBodyTooLarge);
  }
  BatchKind& kind = context.batch;
  const std::vector<std::string_view> texts = Split(request, kind);
  if (kind == BatchKind::kNone) return Unreadable();
  ParsedBatch requests;
  context.parts = std::make_unique<RequestContext[]>(texts.size());
  context.part_count = texts.size();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    HttpRequest part;
    const bool is_well_written = ReadRequest(texts[i], request, part);
    const bool is_query = part.method == "GET";
    if (!is_well_written || is_query != (kind == BatchKind::kQuery)) {
      kind = BatchKind::kNone;
      return Unreadable();
    }
    auto parsed = ParsePart(part, account_path, context.parts[i]);
    if (parsed && kind == BatchKind::kChangeSet && context.is_secondary) {
      parsed = Fail(ErrorCode::kInsufficientAccountPermissions);
    }
    if (!parsed) {
      Error error = std::move(parsed).error();
      error.operation = static_cast<std::uint32_t>(i);
      return error;
    }
    requests.push_back(*std::move(parsed));
  }
  return requests;
}

Result<Operation> MakeOperation(BatchKind kind, const ParsedBatch& requests,
                                std::vector<TransactionPart>& parts) {
  if (kind == BatchKind::kQuery) {
    return MakeOperation(requests.front()->fields());
  }
  for (const auto& request : requests) {
    ENTITABLE_TRY(AddPart(request->fields(), parts));
  }
  return MakeOperation({.kind = OperationKind::kTransaction, .parts = parts});
}

}  // namespace entitable
