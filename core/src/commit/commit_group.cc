#include "commit/commit_group.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "write/write.h"

namespace entitable {
namespace {

// A group takes no further write once it has this many changes, those of
// indexes included, because its evaluation takes no slices.
constexpr std::size_t kMaxChanges = 3'000;

}  // namespace

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
  batch.is_optimistic = sent != GroupRecord::kInDoubt && with_pages == nullptr;
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
    host.Reply(write.id, std::move(write.outcome).Take());
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

// ------------------------------------------------------------- group evaluator

std::expected<Staging, Pending> GroupEvaluator::Evaluate(
    DateTime now, CommitGroup& group, std::list<PendingWrite>& queue,
    WorkBudget& work) {
  const AccountState& state = store_.state();
  if (!IsUpToDate()) rows_.Clear();
  manifest_changes_ = state.manifest_changes();
  do {
    Staging staging(state, rows_);
    rows_.BeginFirst();
    bool has_rows = false;
    if (group.load != nullptr) {
      const auto& outcome = group.load_outcome.emplace(
          group.load->Evaluate(now, options_, staging, work));
      if (outcome.is_pending(Pending::kSlice)) {
        return std::unexpected(Pending::kSlice);
      }
      has_rows = !outcome.is_pending();
    } else {
      has_rows = EvaluateWrites(now, group, queue, staging);
    }
    if (has_rows && !rows_.window().is_waiting()) return staging;
  } while (!rows_.window().is_waiting() && rows_.Resolve(state));
  pages_.Want(rows_.window().TakeMissing());
  return std::unexpected(Pending::kPages);
}

// Takes as many writes as fit into one record.  Three limits count: the texts
// of the operations, the bytes and the number of their changes, and the rows
// that they need.  A group may
// lose writes to the next group in this way, but never all, and takes new ones
// while it can.  Returns false if rows of the group are pending: those of all
// its writes are asked for together.
bool GroupEvaluator::EvaluateWrites(DateTime now, CommitGroup& group,
                                    std::list<PendingWrite>& queue,
                                    Staging& staging) {
  const bool may_grow = group.members == CommitGroup::Members::kMayJoin;
  const std::size_t most = may_grow ? SIZE_MAX : group.writes.size();
  queue.splice(queue.begin(), group.writes);
  std::size_t text_bytes = 0;
  bool has_rows = true;
  while (!queue.empty() && group.writes.size() < most) {
    PendingWrite& next = queue.front();
    const bool is_first = group.writes.empty();
    text_bytes += next.text_bytes;
    const bool is_long =
        text_bytes > kMaxRecordBytes || staging.changes() >= kMaxChanges;
    if (!is_first && is_long) break;
    next.outcome = Execute(next.request, now, options_, staging);
    const bool is_pending = next.outcome.is_pending();
    if (is_first) {
      rows_.EndFirst();
    } else if (rows_.is_full() && (is_pending || !has_rows)) {
      break;
    }
    if (staging.is_full()) break;
    has_rows &= !is_pending;
    group.writes.splice(group.writes.end(), queue, queue.begin());
  }
  return has_rows;
}

bool GroupEvaluator::FindRows() {
  const bool is_missing = IsUpToDate() && !rows_.Resolve(store_.state());
  if (is_missing) pages_.Want(rows_.window().TakeMissing());
  return !is_missing;
}

}  // namespace entitable
