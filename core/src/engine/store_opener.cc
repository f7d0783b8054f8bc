#include "engine/store_opener.h"

#include "host/host_link.h"

namespace entitable {
namespace {

// How often the engine tries to create a store before it gives up.
constexpr int kMaxCreations = 3;

}  // namespace

Result<LogStep> StoreOpener::Open(const Snapshot& snapshot) {
  ENTITABLE_TRY(const bool is_there, store_.Open(snapshot));
  if (!is_there) return Create();
  creations_ = 0;
  return LogStep{.phase = LogPhase::kReady};
}

Result<LogStep> StoreOpener::Create() {
  // The store existed when the commit failed, but no read finds it.
  if (++creations_ > kMaxCreations) {
    return Fail(ErrorCode::kStorageUnavailable);
  }
  return LogStep{.phase = LogPhase::kCreating,
                 .batch = Store::MakeCreation(new_store_id_)};
}

Result<LogStep> StoreOpener::CompleteCreation(CommitOutcome outcome) {
  const bool is_there =
      outcome == CommitOutcome::kOk || outcome == CommitOutcome::kMoved;
  const bool may_be_there =
      outcome == CommitOutcome::kUnknown && creations_ < kMaxCreations;
  // Requests that come later did not cause this, so they are not answered with
  // it.
  if (!is_there && !may_be_there) return ErrorFor(outcome);
  return LogStep{.phase = LogPhase::kOpening};
}

}  // namespace entitable
