// account_transaction.h - the evaluation of a transaction of the account.

#ifndef ENTITABLE_WRITE_ACCOUNT_TRANSACTION_H_
#define ENTITABLE_WRITE_ACCOUNT_TRANSACTION_H_

#include <span>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/engine.h"
#include "store/store.h"
#include "write/staging.h"
#include "write/write_request.h"

namespace entitable {

// Whether anybody has stored a change of what the transaction has read, or may
// have.
bool IsOutdated(const AccountTransactionRequest& request,
                const AccountState& state);

// Stages the changes of the writes, but neither ends nor undoes them.  Each
// group sees those before it.  If rows are pending, all that are known to be
// needed were asked for.
Poll<void> StageAll(std::span<const WriteEntitiesRequest> groups,
                    DateTime timestamp, const EngineOptions& options,
                    Staging& staging);

// As Execute() of write.h.
Poll<Response> ExecuteTransaction(const AccountTransactionRequest& request,
                                  DateTime now, const EngineOptions& options,
                                  Staging& staging);

}  // namespace entitable

#endif  // ENTITABLE_WRITE_ACCOUNT_TRANSACTION_H_
