// The frames of HTTP: what a host in another language sends and gets instead of
// the structs of http.h. docs/internals/frames.md has all tags.
//
//   request  = { tag:u8 length:u32 bytes }
//   answer   = status:u16, then the same for its headers (one text, with a
//              line for each) and for its body
//
// All of a request is a view of its frame, so the body is not copied.  A tag
// that is not known makes the frame unreadable: host and module are of one
// version.

#include <algorithm>
#include <cstdint>

#include "base/coding.h"
#include "base/guid.h"
#include "base/number.h"
#include "base/utf.h"
#include "entitable/http.h"

namespace entitable {
namespace {

// More than any HTTP server accepts.
constexpr std::size_t kMaxHeaders = 10'000;

enum class HttpTag : std::uint8_t {
  kMethod = 1,
  kTarget = 2,
  kHeader = 3,
  kRequestId = 4,
  kBody = 5,
  kSasPermissions = 6,
  kAnswered = 7,
  kCorsRules = 8,
  kRefusal = 9,
  kAccountInHost = 10,
};

enum class RefusalTag : std::uint8_t {
  kStatus = 1,
  kCode = 2,
  kMessage = 3,
  kChallenge = 4,
};

// X(tag, member)
#define ENTITABLE_SAS_FIELDS(X)   \
  X(1, permissions)               \
  X(2, resource_types)            \
  X(3, table)                     \
  X(4, scope.first_partition_key) \
  X(5, scope.first_row_key)       \
  X(6, scope.last_partition_key)  \
  X(7, scope.last_row_key)

// Calls `set(tag, field)` for each field, until it returns false.  Returns
// whether all were set.
template <typename Set>
bool ReadFields(std::string_view bytes, Set set) {
  for (Decoder rest(bytes); !rest.at_end();) {
    const std::uint8_t tag = rest.ReadU8();
    const std::string_view field = rest.ReadBytes(rest.ReadU32());
    if (rest.failed() || !set(tag, field)) return false;
  }
  return true;
}

// Returns false if the field was already set.
bool SetOnce(std::string_view text, std::string_view& place) {
  if (place.data() != nullptr) return false;
  place = text;
  return true;
}

bool ReadHeader(std::string_view text, HttpRequest& request) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos ||
      request.headers.size() == kMaxHeaders) {
    return false;
  }
  request.headers.push_back({text.substr(0, colon), text.substr(colon + 1)});
  return true;
}

bool ReadSasPermissions(std::string_view bytes, HttpRequest& request) {
  if (request.sas_permissions) return false;
  SasPermissions& sas_permissions = request.sas_permissions.emplace();
  return ReadFields(bytes, [&](std::uint8_t tag, std::string_view text) {
    switch (tag) {
#define ENTITABLE_X(tag, member)   \
  case tag:                        \
    sas_permissions.member = text; \
    return IsValidUtf8(text);
      ENTITABLE_SAS_FIELDS(ENTITABLE_X)
#undef ENTITABLE_X
      default:
        return false;
    }
  });
}

// Codes and challenges become headers of the answer.
bool IsHeaderText(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Returns false if there is no such tag.
bool SetRefusal(RefusalTag tag, std::string_view text, HttpRefusal& refusal) {
  switch (tag) {
    case RefusalTag::kStatus: {
      const auto status = ParseInt32(text);
      refusal.status = status.value_or(0);
      return refusal.status >= 400 && refusal.status < 600;
    }
    case RefusalTag::kCode:
      refusal.code = text;
      return IsHeaderText(text);
    case RefusalTag::kMessage:
      refusal.message = text;
      return IsValidUtf8(text);
    case RefusalTag::kChallenge:
      refusal.challenge = text;
      return IsHeaderText(text);
  }
  return false;
}

bool ReadRefusal(std::string_view bytes, HttpRequest& request) {
  if (request.refusal) return false;
  HttpRefusal& refusal = request.refusal.emplace();
  return ReadFields(bytes,
                    [&](std::uint8_t tag, std::string_view text) {
                      return SetRefusal(RefusalTag{tag}, text, refusal);
                    }) &&
         !refusal.code.empty();
}

bool SetField(HttpTag tag, std::string_view field, HttpRequest& request) {
  switch (tag) {
    case HttpTag::kMethod:
      return SetOnce(field, request.method);
    case HttpTag::kTarget:
      return SetOnce(field, request.target);
    case HttpTag::kHeader:
      return ReadHeader(field, request);
    case HttpTag::kRequestId:
      // It becomes a header of the answer, which cannot hold every text.
      return Guid::Parse(field) && SetOnce(field, request.request_id);
    case HttpTag::kBody:
      return SetOnce(field, request.body);
    case HttpTag::kAnswered:
      if (request.answered) return false;
      request.answered = field;
      // They become a header of the answer.
      return std::ranges::all_of(field,
                                 [](char c) { return c > ' ' && c <= '~'; });
    case HttpTag::kSasPermissions:
      return ReadSasPermissions(field, request);
    case HttpTag::kRefusal:
      return ReadRefusal(field, request);
    case HttpTag::kAccountInHost:
      request.account_in_host = true;
      return field.empty();
    case HttpTag::kCorsRules:
      if (request.cors_rules) return false;
      request.cors_rules = field;
      return true;
  }
  return false;
}

void AppendField(HttpTag tag, std::string_view text, Bytes& frame) {
  AppendU8(static_cast<std::uint8_t>(tag), frame);
  AppendU32(static_cast<std::uint32_t>(text.size()), frame);
  frame += text;
}

}  // namespace

Result<HttpRequest> DecodeHttpRequest(BytesView frame, std::size_t capacity) {
  const char* readable_end = frame.data() + std::max(capacity, frame.size());
  HttpRequest request;
  const auto set = [&](std::uint8_t tag, std::string_view field) {
    return SetField(HttpTag{tag}, field, request);
  };
  if (!ReadFields(frame, set)) return Fail(ErrorCode::kInvalidInput);
  if (!request.body.empty()) {
    request.body_capacity =
        static_cast<std::size_t>(readable_end - request.body.data());
  }
  return request;
}

Bytes EncodeHttpResponse(const HttpResponse& response) {
  Bytes frame;
  AppendU16(static_cast<std::uint16_t>(response.status), frame);
  Bytes lines;
  for (const auto& [name, value] : response.headers) {
    lines.append(name).append(":").append(value).append("\n");
  }
  AppendField(HttpTag::kHeader, lines, frame);
  if (!response.body.empty()) {
    AppendField(HttpTag::kBody, response.body, frame);
  }
  return frame;
}

}  // namespace entitable
