#include "store/store.h"

#include <utility>

#include "store/catch_up.h"
#include "store/checkpoint.h"
#include "store/compaction.h"
#include "store/compaction_plan.h"
#include "store/opening_pages.h"

namespace entitable {

// ------------------------------------------------------------------- opening

std::vector<ValueKey> Store::Keys() { return CheckpointAndManifestKeys(); }

std::vector<ValueKey> Store::OpeningKeys() {
  std::vector<ValueKey> keys = Keys();
  keys.push_back(kOpeningPagesKey);
  return keys;
}

Result<bool> Store::Open(const Snapshot& snapshot) {
  ENTITABLE_TRY(state_, OpenStore(snapshot));
  if (is_open() && snapshot.values.size() == OpeningKeys().size()) {
    AcceptOpeningPages(snapshot.values.back(), state_->checkpoint().store_id,
                       cache_);
  }
  return is_open();
}

Batch Store::MakeCreation(const Random128& store_id) {
  const Checkpoint checkpoint{.store_id = store_id};
  Batch batch;
  batch.expect.push_back({ValueKey::Checkpoint(), nullptr});
  batch.puts.push_back(
      {ValueKey::Checkpoint(), Share(EncodeCheckpoint(checkpoint))});
  return batch;
}

void Store::Close() {
  state_.reset();
  cache_.Clear();
}

// ------------------------------------------------------------------- the log

Result<void> Store::CatchUp(const Snapshot& snapshot,
                            const Progress& asked_at) {
  return entitable::CatchUp(snapshot, asked_at, open_state());
}

Result<void> Store::AcceptManifest(const std::optional<Bytes>& value,
                                   const Progress& asked_at) {
  return open_state().InstallManifestAlone(value, asked_at);
}

Result<std::vector<Put>> Store::LostRecords(const Snapshot& snapshot) const {
  return entitable::LostRecords(snapshot, state());
}

std::optional<bool> Store::HasCommit(const Author& author) const {
  return entitable::HasCommit(state(), author);
}

Result<void> Store::Apply(const RecordHead& head, SharedBytes value,
                          const Bytes* manifest) {
  AccountState& state = open_state();
  ENTITABLE_TRY(state.Apply(head, std::move(value)));
  if (manifest == nullptr) return {};
  return state.InstallManifest(*manifest, state.progress());
}

// ---------------------------------------------------- flushes and compactions

bool Store::IsFlushWorthwhile() const {
  return entitable::IsFlushWorthwhile(state(), limits_);
}

bool Store::IsFlushDue() const {
  return entitable::IsFlushDue(state(), limits_);
}

bool Store::IsFlushUrgent() const {
  return entitable::IsFlushUrgent(state(), limits_);
}

bool Store::MustStallWrites() const {
  return entitable::MustStallWrites(state(), limits_);
}

std::size_t Store::FlushMemory() const {
  return entitable::FlushMemory(state(), limits_);
}

BackgroundStep Store::Flush() {
  BackgroundStep step = entitable::Flush(state(), limits_);
  AddOpeningPages(state(), limits_, cache_, step);
  return step;
}

bool Store::IsCompactionDue(bool is_room_short) const {
  return entitable::IsCompactionDue(state(), is_room_short);
}

bool Store::IsCompactionUrgent() const {
  return entitable::IsCompactionUrgent(state().manifest());
}

std::optional<BackgroundStep> Store::Compact(PageWindow& window,
                                             bool is_room_short) {
  auto step = entitable::Compact(state(), limits_, window, is_room_short);
  if (step) AddOpeningPages(state(), limits_, cache_, *step);
  return step;
}

Result<void> Store::Install(const BackgroundStep& step) {
  AccountState& state = open_state();
  // Only a flush has a checkpoint, and it deletes the orphans.
  if (step.checkpoint) state.ForgetOrphans();
  // Another engine may have stored a newer manifest, and a read may have
  // returned it already.
  if (state.manifest().version >= step.manifest_version) return {};
  const Progress progress = state.progress();
  if (step.checkpoint) {
    ENTITABLE_TRY(state.InstallCheckpoint(step.checkpoint, progress));
  }
  return state.InstallManifest(step.manifest, progress);
}

}  // namespace entitable
