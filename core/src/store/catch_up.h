// catch_up.h - turns stored values into the engine's state.
//
// An engine opens a store from one snapshot of the checkpoint, the manifest and
// all log records.  Later it catches up: a snapshot with only the newer records
// brings the state up to date with the writes of other engines.

#ifndef ENTITABLE_STORE_CATCH_UP_H_
#define ENTITABLE_STORE_CATCH_UP_H_

#include <memory>
#include <optional>
#include <vector>

#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/account_state.h"

namespace entitable {

// The keys of a snapshot for the functions below, in their order.  The snapshot
// also has log records.
std::vector<ValueKey> CheckpointAndManifestKeys();

// From a snapshot with all log records.  Null if there is no store yet.  Fails
// with StorageDamaged.
Result<std::unique_ptr<AccountState>> OpenStore(const Snapshot& snapshot);

// Applies what is new.  `asked_at` is the state's progress when the read began;
// the snapshot has all records after the head at that time.  Fails with
// StorageDamaged, or with StorageEvicted if it is another store; the state must
// then be discarded.
Result<void> CatchUp(const Snapshot& snapshot,
                     const AccountState::Progress& asked_at,
                     AccountState& state);

// The unflushed records that the storage has lost, for example because its
// process died and it fell back to an older state.  The snapshot has all
// records after the last flushed one, and CatchUp() has applied it.  Fails with
// StorageDamaged if other records have taken their place.
Result<std::vector<Put>> LostRecords(const Snapshot& snapshot,
                                     const AccountState& state);

// Whether the store has the commit, according to the state.  Nothing: unknown,
// because the records of that time and their author are forgotten.
std::optional<bool> HasCommit(const AccountState& state, const Author& author);

}  // namespace entitable

#endif  // ENTITABLE_STORE_CATCH_UP_H_
