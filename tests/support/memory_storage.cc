#include "support/memory_storage.h"

#include <algorithm>
#include <optional>

namespace entitable {

Snapshot MemoryStorage::Load(const Read& read) const {
  Snapshot snapshot;
  for (const ValueKey& key : read.keys) {
    const auto found = values_.find(key);
    snapshot.values.push_back(
        found == values_.end() ? std::nullopt : std::optional(found->second));
  }
  if (!read.records_after) return snapshot;
  for (auto at = values_.upper_bound(ValueKey::Record(*read.records_after));
       at != values_.end() && at->first.kind == ValueKey::Kind::kRecord; ++at) {
    snapshot.records.push_back({at->first.number, at->second});
  }
  return snapshot;
}

bool MemoryStorage::Store(const Batch& batch) {
  const bool is_expected =
      std::all_of(batch.expect.begin(), batch.expect.end(),
                  [this](const Expectation& one) { return Holds(one); });
  if (is_expected) Perform(batch);
  return is_expected;
}

CommitOutcome MemoryStorage::StoreOptimistically(const Batch& batch) {
  const auto is_in_the_way = [this](const Expectation& one) {
    return !one.value && !Holds(one);
  };
  if (!batch.is_optimistic ||
      std::ranges::any_of(batch.expect, is_in_the_way)) {
    return Store(batch) ? CommitOutcome::kOk : CommitOutcome::kMoved;
  }
  const bool is_expected = std::ranges::all_of(
      batch.expect, [this](const Expectation& one) { return Holds(one); });
  Perform(batch);
  return is_expected ? CommitOutcome::kOk : CommitOutcome::kUnknown;
}

void MemoryStorage::Perform(const Batch& batch) {
  for (const Put& put : batch.puts) values_[put.key] = *put.value;
  for (const ValueKey& key : batch.deletes) values_.erase(key);
}

bool MemoryStorage::Holds(const Expectation& expectation) const {
  const auto found = values_.find(expectation.key);
  if (found == values_.end()) return !expectation.value;
  return expectation.value && *expectation.value == found->second;
}

}  // namespace entitable
