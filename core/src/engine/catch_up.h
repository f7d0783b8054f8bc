// catch_up.h - from what the storage holds to what the engine knows.

#ifndef ENTITABLE_ENGINE_CATCH_UP_H_
#define ENTITABLE_ENGINE_CATCH_UP_H_

#include <memory>
#include <optional>
#include <vector>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/account_state.h"

namespace entitable {

// What the snapshots below are of, beside records.
std::vector<ValueKey> CheckpointAndManifestKeys();

// From a snapshot with all records.  Null when the store is new.  Fails with
// StorageDamaged.
Result<std::unique_ptr<AccountState>> OpenStore(const Snapshot& snapshot);

// Takes whatever is new, from a snapshot that was asked for when the state had
// come so far, with the records after its head of then.  Fails with
// StorageDamaged, also when the store is not the one that was opened; the state
// is then of no further use.
Result<void> CatchUp(const Snapshot& snapshot,
                     const AccountState::Progress& asked_at,
                     AccountState& state);

// The records of the tail that the storage no longer has, from a snapshot that
// was taken in with the records after those that are in pages: it fell back to
// what it was a while ago, as when the process behind it died.  Fails with
// StorageDamaged when it holds others in their place.
Result<std::vector<Put>> LostRecords(const Snapshot& snapshot,
                                     const AccountState& state);

// Whether the store has the commit, as far as the state knows.  Nothing: nobody
// can tell any more.
std::optional<bool> HasCommit(const AccountState& state, const Author& author);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_CATCH_UP_H_
