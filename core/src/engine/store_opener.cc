#include "engine/store_opener.h"

#include <optional>
#include <utility>

#include "engine/host_link.h"
#include "store/catch_up.h"
#include "store/checkpoint.h"

namespace entitable {
namespace {

// How often the engine tries to create a store before it gives up.
constexpr int kMaxCreations = 3;

}  // namespace

Result<LogStep> StoreOpener::Open(const Snapshot& snapshot) {
  ENTITABLE_TRY(auto state, OpenStore(snapshot));
  if (state == nullptr) return Create();
  store_.Open(std::move(state));
  creations_ = 0;
  return LogStep{.phase = LogPhase::kReady};
}

Result<LogStep> StoreOpener::Create() {
  // The store existed when the commit failed, but no read finds it.
  if (++creations_ > kMaxCreations) {
    return Fail(ErrorCode::kStorageUnavailable);
  }
  const Checkpoint checkpoint{.store_id = new_store_id_};
  Batch batch;
  batch.expect.push_back({ValueKey::Checkpoint(), std::nullopt});
  batch.puts.push_back({ValueKey::Checkpoint(), EncodeCheckpoint(checkpoint)});
  return LogStep{.phase = LogPhase::kCreating, .batch = std::move(batch)};
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
