#include "store/catch_up.h"

#include <algorithm>
#include <utility>

#include "store/envelope.h"

namespace entitable {
namespace {

Result<void> ApplyRecord(const Record& stored, AccountState& state) {
  ENTITABLE_TRY(const RecordHead head, ReadRecordHead(stored.value));
  if (head.number != stored.number) {
    return Fail(ErrorCode::kStorageDamaged,
                "The log record has another number than its key.");
  }
  return state.Apply(head, Share(stored.value));
}

// Records up to the head are already in the state or in pages: a flush leaves
// some in the log for a while.  Orphaned records were never part of the state.
Result<void> ApplyRecords(const Snapshot& snapshot, AccountState& state) {
  for (const Record& stored : snapshot.records) {
    if (stored.number < state.checkpoint().first_record)
      state.NoteOrphan(stored.number);
    if (stored.number <= state.head()) continue;
    if (auto applied = ApplyRecord(stored, state); !applied) {
      return Named(ValueKey::Record(stored.number), std::move(applied).error());
    }
  }
  return {};
}

Result<void> CheckHead(const AccountState& state) {
  if (state.manifest().needs > state.head()) {
    return Named(ValueKey::Record(state.head() + 1),
                 Error(ErrorCode::kStorageDamaged,
                       "The log record is missing, but pages of it exist."));
  }
  if (!state.has_loads()) {
    return Named(ValueKey::Manifest(),
                 Error(ErrorCode::kStorageDamaged,
                       "The manifest is older than a bulk load in the log."));
  }
  return {};
}

Result<void> CheckSnapshot(const Snapshot& snapshot) {
  if (snapshot.values.size() < CheckpointAndManifestKeys().size()) {
    return Fail(ErrorCode::kStorageDamaged,
                "The storage did not return the values that were asked for.");
  }
  // An empty snapshot is not damage: there is no store yet.
  const bool has_checkpoint = snapshot.values[0].has_value();
  const bool has_manifest = snapshot.values[1].has_value();
  if (has_checkpoint || (!has_manifest && snapshot.records.empty())) return {};
  return Named(ValueKey::Checkpoint(),
               Error(ErrorCode::kStorageDamaged,
                     "The store has log records or pages, but no checkpoint."));
}

}  // namespace

std::vector<ValueKey> CheckpointAndManifestKeys() {
  return {ValueKey::Checkpoint(), ValueKey::Manifest()};
}

Result<std::unique_ptr<AccountState>> OpenStore(const Snapshot& snapshot) {
  ENTITABLE_TRY(CheckSnapshot(snapshot));
  const auto& checkpoint = snapshot.values[0];
  const auto& manifest = snapshot.values[1];
  if (!checkpoint) return nullptr;
  ENTITABLE_TRY(auto state, AccountState::Open(*checkpoint, manifest));
  ENTITABLE_TRY(ApplyRecords(snapshot, *state));
  ENTITABLE_TRY(CheckHead(*state));
  return state;
}

Result<void> CatchUp(const Snapshot& snapshot,
                     const AccountState::Progress& asked_at,
                     AccountState& state) {
  ENTITABLE_TRY(CheckSnapshot(snapshot));
  ENTITABLE_TRY(state.InstallCheckpoint(snapshot.values[0], asked_at));
  // If the log still has all records after the head, they tell what changed,
  // even if some of their rows are already in pages.
  const bool has_gap = state.head() + 1 < state.checkpoint().first_record;
  if (!has_gap) {
    ENTITABLE_TRY(ApplyRecords(snapshot, state));
  }
  ENTITABLE_TRY(state.InstallManifest(snapshot.values[1], asked_at));
  if (has_gap) {
    ENTITABLE_TRY(ApplyRecords(snapshot, state));
  }
  return CheckHead(state);
}

Result<std::vector<Put>> LostRecords(const Snapshot& snapshot,
                                     const AccountState& state) {
  std::vector<Put> lost;
  auto stored = snapshot.records.begin();
  for (const UnflushedRecord& record : state.unflushed()) {
    while (stored != snapshot.records.end() && stored->number < record.number) {
      ++stored;
    }
    if (stored == snapshot.records.end()) {
      lost.push_back({ValueKey::Record(record.number), record.value});
    } else if (stored->number != record.number ||
               stored->value != *record.value) {
      return Fail(
          ErrorCode::kStorageDamaged,
          "The log holds other records than the ones that were written.");
    }
  }
  return lost;
}

std::optional<bool> HasCommit(const AccountState& state, const Author& author) {
  const auto& unflushed = state.unflushed();
  const bool is_in_log = std::any_of(
      unflushed.begin(), unflushed.end(),
      [&](const UnflushedRecord& record) { return record.author == author; });
  return is_in_log ? true : state.checkpoint().Has(author);
}

}  // namespace entitable
