// Any bytes as an operation frame, given to an account that has a table and two
// entities: it is answered, and what failed has changed nothing.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "entitable/frame.h"
#include "fuzz/expect.h"
#include "fuzz/frame_mutator.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

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

void ExpectWritten(MemoryHost& host, const TransactionPart& part,
                   const Response& response) {
  const auto* update = std::get_if<UpdateEntity>(&part);
  if (update == nullptr) return;
  const auto stored = host.Do(GetEntity{.entity = update->entity});
  Expect(stored && stored->etag == response.etag, "what was written is there");
}

void ExpectLines(std::string_view body) {
  while (!body.empty()) {
    const std::size_t end = body.find('\n');
    Expect(end != std::string_view::npos, "a line ends");
    ExpectJson(body.substr(0, end));
    body.remove_prefix(end + 1);
  }
}

// Settings come as JSON Lines, and so do the lists of an archive.
struct BodyOfRead {
  std::string_view body;

  void operator()(const QueryTables& query) const { Expect(query.form); }
  void operator()(const QueryEntities& query) const { Expect(query.form); }
  void operator()(const QueryOrdered& query) const { Expect(query.query.form); }
  void operator()(const GetEntity& get) const {
    if (get.form.format != WireFormat::kValues) ExpectOneJson();
  }
  void operator()(const QueryGroups& /*query*/) const {}
  void operator()(const SearchEntities& /*search*/) const {}
  void operator()(const AwaitChanges& /*await*/) const {}
  void operator()(const GetPolicies& /*get*/) const { ExpectLines(body); }
  void operator()(const GetTableSchema& /*get*/) const {}
  void operator()(const GetServiceProperties& /*get*/) const {
    ExpectLines(body);
  }
  void operator()(const auto& /*read*/) const { ExpectOneJson(); }

  void Expect(const AnswerForm& form) const {
    if (form.format == WireFormat::kLines) return ExpectLines(body);
    if (form.format == WireFormat::kJson) ExpectOneJson();
  }
  void ExpectOneJson() const {
    if (!body.empty()) ExpectJson(body);
  }
};

void ExpectSuccess(MemoryHost& host, const WriteOperation& write,
                   const Response& response) {
  if (!response.body.empty()) ExpectJson(response.body);
  if (const auto* part = std::get_if<TransactionPart>(&write)) {
    ExpectWritten(host, *part, response);
  }
  const auto* transaction = std::get_if<SubmitTransaction>(&write);
  if (transaction == nullptr) return;
  Expect(response.parts.size() == transaction->parts.size(),
         "each operation has its answer");
  for (std::size_t i = 0; i < response.parts.size(); ++i) {
    ExpectWritten(host, transaction->parts[i], response.parts[i]);
  }
}

std::size_t PartCount(const Operation& operation) {
  const auto* write = std::get_if<WriteOperation>(&operation);
  const auto* transaction =
      write == nullptr ? nullptr : std::get_if<SubmitTransaction>(write);
  return transaction == nullptr ? 0 : transaction->parts.size();
}

}  // namespace

void Test(std::string_view frame) {
  (void)DecodeSnapshot(frame).has_value();
  std::vector<TransactionPart> parts;
  const auto operation = DecodeOperation(frame, frame.size(), parts);
  if (!operation) return;

  MemoryHost host;
  Prepare(host);
  const auto before = host.storage().values();
  const auto answer = DoFrame(host, frame);
  const auto* read = std::get_if<ReadOperation>(&*operation);
  // Of an import, what comes before the fault stays.
  if (!std::holds_alternative<ImportEntities>(*operation)) {
    if (!answer || read != nullptr) {
      Expect(host.storage().values() == before, "nothing has changed");
    }
    // It may wait for what never comes.
    const bool may_wait =
        read != nullptr && std::holds_alternative<AwaitChanges>(*read);
    if (!answer && may_wait) return;
    if (!answer) return ExpectRefusal(answer.error(), PartCount(*operation));
  }
  Bytes answer_frame;
  if (answer) EncodeResponse(*answer, answer_frame);
  if (answer && read != nullptr) std::visit(BodyOfRead{answer->body}, *read);
  if (answer && std::holds_alternative<ChangeEntities>(*operation)) {
    ExpectJson(answer->body);
  }
  const auto* write = std::get_if<WriteOperation>(&*operation);
  if (answer && write != nullptr) ExpectSuccess(host, *write, *answer);
  if (read != nullptr) return;
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
