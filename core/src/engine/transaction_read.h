// transaction_read.h - a read of a transaction of the account.

#ifndef ENTITABLE_ENGINE_TRANSACTION_READ_H_
#define ENTITABLE_ENGINE_TRANSACTION_READ_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/poll.h"
#include "entitable/storage.h"
#include "host/memory.h"
#include "read/query.h"
#include "store/store.h"
#include "write/stored_rows.h"
#include "write/write_request.h"

namespace entitable {

// Another read, with two differences.
//
// It sees what the transaction has written so far.  Before each piece of its
// work, the writes are evaluated as for a commit, which makes a record, and the
// rows of the record lie over those of the state while the other read works. So
// the read needs to know nothing of them: its filter, its order and its indexes
// see rows as they will be.
//
// Its answer is of one moment, together with all that the transaction has read
// before: it fails with TransactionConflict if any of this has changed since,
// or if the rows of this read have changed while it went through them.
class TransactionRead final : public Query {
 public:
  TransactionRead(std::unique_ptr<Query> read, AccountTransactionRequest so_far,
                  Store& store, const HostMemory& memory);

  bool EndEarly() override { return read_->EndEarly(); }
  PageWindow& window() override;

 private:
  void Interrupt() override;
  Poll<Response> Evaluate(const QueryContext& context) override;
  Poll<Response> Read(const QueryContext& context);
  Poll<Bytes> RecordOfWrites(const QueryContext& context);

  std::unique_ptr<Query> read_;
  AccountTransactionRequest so_far_;
  std::optional<std::uint64_t> read_from_;  // The record before the first row.
  bool is_refused_ = false;                 // One of the writes.
  Store& store_;
  StoredRows rows_;                     // That the writes need.
  std::uint64_t manifest_changes_ = 0;  // Of the state, for these rows.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_TRANSACTION_READ_H_
