#include "commit/commit_group.h"

#include <algorithm>
#include <utility>

namespace entitable {

bool CommitGroup::has_failure() const {
  return (load_outcome && !*load_outcome) ||
         std::ranges::any_of(
             writes, [](const PendingWrite& write) { return !write.outcome; });
}

const Bytes* CommitGroup::manifest() const {
  const bool has_pages = load != nullptr && !load->manifest().empty();
  return has_pages ? &load->manifest() : nullptr;
}

bool CommitGroup::frees() const {
  return load == nullptr &&
         std::ranges::all_of(writes, [](const PendingWrite& write) {
           return !write.outcome || IsDeletion(write.request);
         });
}

// The commit expects the checkpoint that this engine knows.  Otherwise the
// record could land in a part of the log that is already flushed, or in another
// store.  The first attempt is optimistic: the host need not compare the
// checkpoint before it stores the record.  A record below the first record of
// the log is an orphan that no engine reads, so it does no harm.  The outcome
// is then kUnknown, and the engine looks for its record.
Batch CommitGroup::MakeBatch(const AccountState& state) const {
  const ValueKey key = ValueKey::Record(record.number);
  Batch batch;
  batch.expect.reserve(2);
  batch.expect.push_back({ValueKey::Checkpoint(), state.checkpoint_value()});
  batch.expect.push_back({key, nullptr});
  batch.puts.push_back({key, value});
  const Bytes* const with_pages = manifest();
  batch.is_optimistic = !is_in_doubt && with_pages == nullptr;
  batch.frees = frees();
  if (with_pages != nullptr) {
    // The load keeps its pages, because they may have to be sent again.
    batch.expect.push_back({ValueKey::Manifest(), state.manifest_value()});
    batch.puts.push_back({ValueKey::Manifest(), Share(*with_pages)});
    batch.puts.insert(batch.puts.end(), load->pages().begin(),
                      load->pages().end());
  }
  return batch;
}

void CommitGroup::AnswerWrites(HostLink& host) {
  for (PendingWrite& write : writes) {
    host.Reply(write.id, std::move(write.outcome));
  }
}

void CommitGroup::FailStored(const Error& reason, HostLink& host) {
  std::erase_if(writes, [&](const PendingWrite& write) {
    if (!write.outcome) return false;
    host.Refuse(write.id, reason);
    return true;
  });
}

void CommitGroup::FailStoredButDeletions(const Error& reason, HostLink& host) {
  std::erase_if(writes, [&](const PendingWrite& write) {
    if (!write.outcome || IsDeletion(write.request)) return false;
    host.Refuse(write.id, reason);
    return true;
  });
}

void CommitGroup::FailWrites(const Error& of_stored, const Error& of_others,
                             HostLink& host) {
  for (const PendingWrite& write : writes) {
    host.Refuse(write.id, write.outcome ? of_stored : of_others);
  }
}

}  // namespace entitable
