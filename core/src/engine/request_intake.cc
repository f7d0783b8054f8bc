// The checks of a request, from the cheap to the expensive.  An engine that is
// full refuses a request before it has looked into it:
//
//   1  room for its bytes among the waiting requests   ServerBusy
//   2  all texts are valid UTF-8                       InvalidInput
//   3  of a write, memory to parse its bodies          ServerBusy
//   4  all rules that need no stored data              the service's error

#include "engine/request_intake.h"

#include <memory>
#include <utility>
#include <variant>

#include "base/visit.h"
#include "engine/transaction_read.h"
#include "read/query.h"
#include "request/operation_texts.h"
#include "write/write_request.h"

namespace entitable {
namespace {

// The memory of a request without its texts, and of each part of a request.
constexpr std::size_t kRequestOverhead = 640;

std::size_t PartCount(const WriteOperation& operation) {
  if (const auto* all = std::get_if<SubmitAccountTransaction>(&operation)) {
    return all->so_far.parts.size();
  }
  const auto* transaction = std::get_if<SubmitTransaction>(&operation);
  return transaction == nullptr ? 0 : transaction->parts.size();
}

// Of the transaction that the read belongs to; null if there is none.
const TransactionSoFar* SoFarOf(const ReadOperation& operation) {
  const TransactionSoFar* so_far = nullptr;
  if (const auto* get = std::get_if<GetEntity>(&operation)) {
    so_far = &get->so_far;
  } else if (const auto* query = std::get_if<QueryEntities>(&operation)) {
    so_far = &query->so_far;
  } else if (const auto* ordered = std::get_if<QueryOrdered>(&operation)) {
    so_far = &ordered->query.so_far;
  }
  return so_far != nullptr && so_far->ranges ? so_far : nullptr;
}

}  // namespace

// Hands a step of a change from its read to the writes.
class RequestIntake::StepOfChange final : public FoundReceiver {
 public:
  StepOfChange(WriteEntitiesRequest&& change, RequestIntake& intake)
      : change_(std::move(change)), intake_(intake) {}

  void Receive(RequestId id, Response found) override {
    MakeStep(std::move(found), change_);
    const std::size_t count = change_.parts.size();
    const std::size_t text_bytes =
        count * change_.single.properties.bytes().size();
    const std::size_t bytes = text_bytes + kRequestOverhead * (1 + count);
    if (!intake_.HasRoomFor(bytes)) {
      return intake_.host_.Refuse(id, Error(ErrorCode::kServerBusy));
    }
    intake_.commits_.Add(id, std::move(change_), text_bytes, bytes);
  }

 private:
  WriteEntitiesRequest change_;
  RequestIntake& intake_;
};

RequestId RequestIntake::Submit(const Result<Operation>& operation,
                                std::string_view base_url) {
  // 0 is not a valid id.
  if (++last_request_ == 0) ++last_request_;
  const RequestId id = last_request_;
  if (!operation) {
    host_.Refuse(id, operation.error());
    return id;
  }
  const auto taken = Visit(
      [&](const auto& one) { return Accept(id, one, base_url); }, *operation);
  if (!taken) host_.Refuse(id, taken.error());
  return id;
}

Result<void> RequestIntake::Accept(RequestId id, const ReadOperation& operation,
                                   std::string_view base_url) {
  const OperationTexts texts = TextsOf(operation);
  const std::size_t bytes = texts.bytes + base_url.size() + kRequestOverhead;
  if (!HasRoomFor(bytes)) return Fail(ErrorCode::kServerBusy);
  if (!texts.are_valid) return Fail(ErrorCode::kInvalidInput);
  if (texts.parse_bytes > 0 && !memory_.MakeRoom(texts.parse_bytes)) {
    return Fail(ErrorCode::kServerBusy);
  }
  ENTITABLE_TRY(auto query, MakeRead(operation, base_url));
  const bool is_fresh =
      Visit([](const auto& read) { return read.fresh; }, operation);
  reads_.Add(id, std::move(query), is_fresh, bytes);
  return {};
}

Result<std::unique_ptr<Query>> RequestIntake::MakeRead(
    const ReadOperation& operation, std::string_view base_url) {
  const TransactionSoFar* const so_far = SoFarOf(operation);
  if (so_far == nullptr) return MakeQuery(operation, base_url, store_.cache());
  // What is wrong with a write comes first.
  auto request = ReadAccountTransaction(*so_far, options_, json_);
  json_.ReleaseLargeBuffers();
  if (!request) return std::move(request).error();
  ENTITABLE_TRY(auto query, MakeQuery(operation, base_url, store_.cache()));
  return std::make_unique<TransactionRead>(
      std::move(query), *std::move(request), store_, memory_);
}

Result<void> RequestIntake::Accept(RequestId id,
                                   const WriteOperation& operation,
                                   std::string_view base_url) {
  const OperationTexts texts = TextsOf(operation);
  const std::size_t text_bytes = texts.bytes + base_url.size();
  const std::size_t bytes =
      text_bytes + kRequestOverhead * (1 + PartCount(operation));
  if (!HasRoomFor(bytes)) return Fail(ErrorCode::kServerBusy);
  if (!texts.are_valid) return Fail(ErrorCode::kInvalidInput);
  if (!memory_.MakeRoom(texts.parse_bytes)) return Fail(ErrorCode::kServerBusy);
  auto write = ReadWrite(operation, base_url, options_, json_);
  json_.ReleaseLargeBuffers();
  if (!write) return std::move(write).error();
  commits_.Add(id, *std::move(write), text_bytes, bytes);
  return {};
}

Result<void> RequestIntake::Accept(RequestId id,
                                   const ChangeEntities& operation,
                                   std::string_view base_url) {
  const OperationTexts query_texts = TextsOf(operation.query);
  const OperationTexts texts = TextsOf(operation.change);
  const std::size_t bytes = query_texts.bytes + texts.bytes + kRequestOverhead;
  if (!HasRoomFor(bytes)) return Fail(ErrorCode::kServerBusy);
  if (!query_texts.are_valid || !texts.are_valid) {
    return Fail(ErrorCode::kInvalidInput);
  }
  if (!memory_.MakeRoom(texts.parse_bytes)) return Fail(ErrorCode::kServerBusy);
  auto write = ReadWrite(operation.change, base_url, options_, json_);
  json_.ReleaseLargeBuffers();
  if (!write) return std::move(write).error();
  auto& change = std::get<WriteEntitiesRequest>(*write);
  const bool is_merge = change.single.kind == WriteKind::kMerge;
  const std::size_t change_bytes =
      is_merge ? 1 + change.single.properties.bytes().size() : 0;
  ENTITABLE_TRY(auto query, MakeSearchOfStep(operation.query, change_bytes,
                                             store_.cache()));
  reads_.Add(id, std::move(query), operation.query.fresh, bytes,
             std::make_unique<StepOfChange>(std::move(change), *this));
  return {};
}

// The queue answers the part itself.
Result<void> RequestIntake::Accept(RequestId id,
                                   const ImportEntities& operation,
                                   std::string_view /*base_url*/) {
  imports_.AcceptPart(id, operation, HasRoomFor(operation.input.text.size()));
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
