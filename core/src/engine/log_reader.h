// log_reader.h - from what the storage holds to what the engine knows.

#ifndef ENTITABLE_ENGINE_LOG_READER_H_
#define ENTITABLE_ENGINE_LOG_READER_H_

#include <cstdint>
#include <optional>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/account_state.h"

namespace entitable {

// Who made a record: the opener, and its how many-th commit.
struct Author {
  Random128 session;
  std::uint64_t commit;
};

// From a snapshot of the base and all records.  Nothing when the store is new.
// Fails with StorageDamaged.
Result<std::optional<AccountState>> OpenLog(const Snapshot& snapshot);

// What was new in the log.
struct Tail {
  bool has_records = false;
  bool has_record_of_author = false;
};

// Applies a snapshot of the base and the records after the state's head.  Fails
// with StorageDamaged, also when the store is not the one that was opened; the
// state is then of no further use.
Result<Tail> ContinueLog(const Snapshot& snapshot, const Author& author,
                         AccountState& state);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_LOG_READER_H_
