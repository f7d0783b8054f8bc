// Any bytes as an operation frame, given to an account that has a table and two
// entities: it is answered, and what failed has changed nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "entitable/frame.h"
#include "fuzz/expect.h"
#include "fuzz/frame_mutator.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

bool IsRead(OperationKind kind) {
  return kind == OperationKind::kGetTable ||
         kind == OperationKind::kQueryTables ||
         kind == OperationKind::kGetEntity ||
         kind == OperationKind::kQueryEntities ||
         kind == OperationKind::kCountEntities ||
         kind == OperationKind::kGetPolicies ||
         kind == OperationKind::kGetServiceProperties ||
         kind == OperationKind::kAwaitChanges;
}

bool IsUpdate(OperationKind kind) {
  return kind == OperationKind::kReplaceEntity ||
         kind == OperationKind::kMergeEntity;
}

Result<Response> DoFrame(MemoryHost& host, std::string_view frame) {
  return host.Await(host.engine().SubmitFrame(frame, frame.size()));
}

void ExpectRefusal(const Error& error, std::size_t part_count) {
  Expect(error.code < ErrorCode::kAccountClosed &&
             error.code != ErrorCode::kInternalError,
         "no request is at fault for what is ours");
  Expect(!error.operation || *error.operation < part_count,
         "the operation at fault is one of them");
}

void ExpectWritten(MemoryHost& host, const Operation& operation,
                   const Response& response) {
  if (!IsUpdate(operation.kind)) return;
  const auto stored = host.Do(Get(std::string(operation.table),
                                  std::string(operation.partition_key),
                                  std::string(operation.row_key)));
  Expect(stored && stored->etag == response.etag, "what was written is there");
}

// Settings come as JSON Lines, and so do the lists of an archive.
bool HasLines(const Operation& operation) {
  const bool is_list = operation.kind == OperationKind::kQueryTables ||
                       operation.kind == OperationKind::kQueryEntities;
  return operation.kind == OperationKind::kGetPolicies ||
         operation.kind == OperationKind::kGetServiceProperties ||
         (is_list && operation.format == WireFormat::kLines);
}

void ExpectBody(const Operation& operation, std::string_view body) {
  while (HasLines(operation) && !body.empty()) {
    const std::size_t end = body.find('\n');
    Expect(end != std::string_view::npos, "a line ends");
    ExpectJson(body.substr(0, end));
    body.remove_prefix(end + 1);
  }
  const bool is_json = operation.format != WireFormat::kValues;
  if (is_json && !body.empty()) ExpectJson(body);
}

void ExpectSuccess(MemoryHost& host, const Operation& operation,
                   const Response& response) {
  EncodeResponse(response);
  ExpectBody(operation, response.body);
  ExpectWritten(host, operation, response);
  if (operation.kind != OperationKind::kTransaction) return;
  Expect(response.parts.size() == operation.parts.size(),
         "each operation has its answer");
  for (std::size_t i = 0; i < response.parts.size(); ++i) {
    ExpectWritten(host, operation.parts[i], response.parts[i]);
  }
}

}  // namespace

void Test(std::string_view frame) {
  (void)DecodeSnapshot(frame).has_value();
  const auto operation = DecodeOperation(frame, frame.size());
  if (!operation) return;

  MemoryHost host;
  Prepare(host);
  const auto before = host.storage().values();
  const auto answer = DoFrame(host, frame);
  // Of an import, what comes before the fault stays.
  if (operation->kind != OperationKind::kImportEntities) {
    if (!answer || IsRead(operation->kind)) {
      Expect(host.storage().values() == before, "nothing has changed");
    }
    // It may wait for what never comes.
    const bool may_wait = operation->kind == OperationKind::kAwaitChanges;
    if (!answer && may_wait) return;
    if (!answer) return ExpectRefusal(answer.error(), operation->parts.size());
  }
  if (answer) ExpectSuccess(host, *operation, *answer);
  if (IsRead(operation->kind)) return;
  const std::string contents = Contents(host);
  host.Restart();
  Expect(Contents(host) == contents, "storage holds all that is known");
}

}  // namespace entitable

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned seed) {
  return entitable::FrameMutator(
             {.head_bytes = 3, .last_tag = 15, .part_tag = 13}, seed)
      .Mutate(data, size, max_size);
}
