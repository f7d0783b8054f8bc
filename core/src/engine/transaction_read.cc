#include "engine/transaction_read.h"

#include <string>
#include <utility>

#include "store/range_set.h"
#include "write/account_transaction.h"
#include "write/staging.h"

namespace entitable {
namespace {

// As the error would have.
constexpr int kMissing = 404;

}  // namespace

TransactionRead::TransactionRead(std::unique_ptr<Query> read,
                                 AccountTransactionRequest so_far, Store& store,
                                 const HostMemory& memory)
    : Query(store.cache()),
      read_(std::move(read)),
      so_far_(std::move(so_far)),
      store_(store),
      rows_(store.cache(), memory) {}

PageWindow& TransactionRead::window() {
  return rows_.window().is_waiting() ? rows_.window() : read_->window();
}

// Rows that were found are copies, and stay.
void TransactionRead::Interrupt() {
  rows_.window().ReleaseAll();
  read_->LetGo();
}

Poll<Response> TransactionRead::Evaluate(const QueryContext& context) {
  const AccountState& state = context.state;
  if (!read_from_) read_from_ = state.head();
  auto answer = Read(context);
  if (answer.is_pending()) return answer;
  // What it has read before makes an error, too, one of this moment.
  if (IsOutdated(so_far_, state)) return Fail(ErrorCode::kTransactionConflict);
  const bool is_missing =
      !answer && !is_refused_ &&
      answer.error().error->code == ErrorCode::kResourceNotFound;
  if (!answer && !is_missing) return answer;
  Response response =
      answer ? *std::move(answer) : Response{.status = kMissing};
  for (const SortRange& range : read_->Ranges()) {
    AppendRange(range, response.ranges);
  }
  const AccountTransactionRequest itself{.reads = response.ranges,
                                         .position = *read_from_};
  if (IsOutdated(itself, state)) return Fail(ErrorCode::kTransactionConflict);
  response.position = state.head();
  return response;
}

Poll<Response> TransactionRead::Read(const QueryContext& context) {
  if (so_far_.groups.empty()) return read_->Continue(context);
  auto record = RecordOfWrites(context);
  is_refused_ = record.has_failed();
  if (!record) return HandedUp{record.error()};
  const Overlay overlay = store_.Cover(*record);
  // What another query has found has none of these rows, and the other way
  // round.
  std::unique_ptr<OrderedRest> nothing;
  return read_->Continue({context.options, context.state, context.last_table,
                          context.buffers, nothing, context.examined,
                          context.work});
}

// As for a commit group (commit/commit_group.cc).
Poll<Bytes> TransactionRead::RecordOfWrites(const QueryContext& context) {
  const AccountState& state = context.state;
  if (std::exchange(manifest_changes_, state.manifest_changes()) !=
      state.manifest_changes()) {
    rows_.Clear();
  }
  while (rows_.Resolve(state)) {
    Staging staging(state, rows_);
    rows_.BeginFirst();
    ENTITABLE_TRY(const DateTime timestamp, staging.NextTimestamp({}));
    auto staged = StageAll(so_far_.groups, timestamp, context.options, staging);
    rows_.EndFirst();
    if (staged) return staging.TakeRecord();
    if (!staged.is_pending()) return HandedUp{staged.error()};
  }
  return Pending::kPages;
}

}  // namespace entitable
