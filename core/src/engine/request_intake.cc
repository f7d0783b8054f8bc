#include "engine/request_intake.h"

#include <utility>

#include "engine/query.h"
#include "engine/request.h"

namespace entitable {
namespace {

// The memory of a request without its texts, and of each part of a request.
constexpr std::size_t kRequestOverhead = 512;

}  // namespace

RequestId RequestIntake::Submit(const Result<Operation>& operation) {
  // 0 is not a valid id.
  if (++last_request_ == 0) ++last_request_;
  const RequestId id = last_request_;
  if (!operation) {
    host_.Refuse(id, operation.error());
  } else if (operation->kind == OperationKind::kImportEntities) {
    imports_.TakePart(id, *operation, HasRoomFor(operation->body.size()));
  } else if (auto taken = Take(id, *operation); !taken) {
    host_.Refuse(id, taken.error());
  }
  return id;
}

Result<void> RequestIntake::Take(RequestId id, const Operation& operation) {
  const std::size_t text_bytes = TextBytes(operation);
  const std::size_t bytes =
      text_bytes + kRequestOverhead * (1 + operation.parts.size());
  if (!HasRoomFor(bytes)) return Fail(ErrorCode::kServerBusy);
  ENTITABLE_TRY(CheckText(operation));
  ENTITABLE_TRY(auto query, MakeQuery(operation, cache_));
  if (query != nullptr) {
    reads_.Add(id, std::move(query), operation.fresh, bytes);
  } else {
    ENTITABLE_TRY(auto write, ReadWrite(operation, options_.profile, json_));
    commits_.Add(id, std::move(write), text_bytes, bytes);
  }
  return {};
}

bool RequestIntake::Cancel(RequestId request) {
  return reads_.Remove(request) || commits_.Remove(request);
}

std::size_t RequestIntake::waiting_bytes() const {
  return reads_.waiting_bytes() + commits_.waiting_bytes() + imports_.bytes();
}

bool RequestIntake::HasRoomFor(std::size_t bytes) const {
  return waiting_bytes() + bytes <= options_.max_waiting_bytes;
}

}  // namespace entitable
