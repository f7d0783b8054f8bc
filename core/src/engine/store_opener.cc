// Opening reads until something is found.  If nothing is there, a checkpoint is
// committed that expects no checkpoint, and then the store is read again,
// whoever has made it: several engines may try it at the same moment, and one
// wins.
//
// A commit of unknown outcome is treated in the same way, since the next read
// tells.  After three attempts the storage counts as unavailable: it says that
// the store is there, and no read finds it.

#include "engine/store_opener.h"

namespace entitable {
namespace {

// How often the engine tries to create a store before it gives up.
constexpr int kMaxCreations = 3;

}  // namespace

Result<LogEvent> StoreOpener::Open(const Snapshot& snapshot) {
  ENTITABLE_TRY(const bool is_there, store_.Open(snapshot));
  if (!is_there) return Create();
  creations_ = 0;
  return LogEvent::kStoreFound;
}

Result<LogEvent> StoreOpener::Create() {
  // The store existed when the commit failed, but no read finds it.
  if (++creations_ > kMaxCreations) {
    return Fail(ErrorCode::kStorageUnavailable);
  }
  host_.CommitToLog(Store::MakeCreation(new_store_id_));
  return LogEvent::kNothingFound;
}

Result<LogEvent> StoreOpener::CompleteCreation(CommitOutcome outcome) {
  const bool is_there =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool may_be_there =
      outcome == CommitOutcome::kUnknown && creations_ < kMaxCreations;
  // Requests that come later did not cause this, so they are not answered with
  // it.
  if (!is_there && !may_be_there) return ErrorFor(outcome);
  return LogEvent::kCreationEnds;
}

}  // namespace entitable
