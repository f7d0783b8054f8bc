#include "sync/request_body.h"

#include "base/json_writer.h"
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

}  // namespace entitable::sync
