#include "support/storage_faults.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace entitable {
namespace {

// Background work adds no record to the log.  A step of an import adds one, and
// may write a manifest, too.
bool IsBackgroundStep(const Batch& batch) {
  const auto has = [&](ValueKey::Kind kind) {
    return std::any_of(batch.puts.begin(), batch.puts.end(),
                       [kind](const Put& put) { return put.key.kind == kind; });
  };
  return has(ValueKey::Kind::kManifest) && !has(ValueKey::Kind::kRecord);
}

}  // namespace

CommitOutcome StorageFaults::Store(const Batch& batch) {
  if (next_commits_.empty()) return StoreWell(batch);
  if (next_commits_.front().spares_background_work && IsBackgroundStep(batch)) {
    return StoreWell(batch);
  }
  const Fault fault = std::move(next_commits_.front());
  next_commits_.pop_front();
  return fault.storing(batch);
}

CommitOutcome StorageFaults::StoreWell(const Batch& batch) {
  if (is_full_ && !batch.frees) return CommitOutcome::kQuota;
  for (const Batch& late : std::exchange(late_, {})) storage_.Store(late);
  return storage_.Store(batch) ? CommitOutcome::kOk : CommitOutcome::kMoved;
}

Result<Snapshot> StorageFaults::Load(const Read& read) {
  if (failing_reads_ > 0) {
    --failing_reads_;
    return Fail(ErrorCode::kStorageUnavailable);
  }
  Snapshot snapshot = storage_.Load(read);
  for (std::size_t i = 0; i < read.keys.size(); ++i) {
    auto& value = snapshot.values[i];
    if (withheld_.contains(read.keys[i])) value = std::nullopt;
    if (value) Spoil(read.keys[i], *value);
  }
  std::erase_if(snapshot.records, [this](const Record& record) {
    return withheld_.contains(ValueKey::Record(record.number));
  });
  for (Record& record : snapshot.records) {
    Spoil(ValueKey::Record(record.number), record.value);
  }
  return snapshot;
}

void StorageFaults::Spoil(ValueKey key, Bytes& value) const {
  const auto damage = damaged_.find(key);
  if (damage == damaged_.end()) return;
  char& byte = value.at(damage->second);
  byte = static_cast<char>(byte ^ 0x10);
}

void StorageFaults::RefuseNextCommit(CommitOutcome outcome) {
  next_commits_.push_back({[outcome](const Batch&) { return outcome; }});
}

void StorageFaults::LoseNextRace(std::function<void()> rival) {
  next_commits_.push_back(
      {[this, rival = std::move(rival)](const Batch& batch) {
         rival();
         return StoreWell(batch);
       },
       /*spares_background_work=*/true});
}

void StorageFaults::LoseNextOutcome(Fate fate) {
  next_commits_.push_back({[this, fate](const Batch& batch) {
    if (fate == Fate::kStored) {
      StoreWell(batch);
    } else {
      lost_.push_back(batch);
      if (fate == Fate::kLate) late_.push_back(batch);
    }
    return CommitOutcome::kUnknown;
  }});
}

void StorageFaults::FailNextRead() { ++failing_reads_; }

void StorageFaults::Repair() {
  is_full_ = false;
  next_commits_.clear();
  failing_reads_ = 0;
  withheld_.clear();
  damaged_.clear();
  late_.clear();
}

}  // namespace entitable
