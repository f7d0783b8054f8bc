#include "commit/group_evaluator.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "write/write.h"

namespace entitable {

std::optional<Staging> GroupEvaluator::Evaluate(DateTime now,
                                                CommitGroup& group,
                                                std::list<PendingWrite>& queue,
                                                WorkBudget& work) {
  const AccountState& state = store_.state();
  if (!IsUpToDate()) rows_.Clear();
  manifest_changes_ = state.manifest_changes();
  do {
    Staging staging(state, rows_);
    rows_.BeginFirst();
    if (group.load != nullptr) {
      group.load_outcome = group.load->Evaluate(now, options_, staging, work);
      if (group.load->is_paused()) return std::nullopt;
    } else {
      EvaluateWrites(now, group, queue, staging);
    }
    if (!rows_.is_missing() && !rows_.window().is_waiting()) return staging;
  } while (!rows_.window().is_waiting() && rows_.Resolve(state));
  pages_.Want(rows_.window().TakeMissing());
  return std::nullopt;
}

// Takes as many writes as fit into one record.  Three limits count: the texts
// of the operations, their changes, and the rows that they need.  A group may
// lose writes to the next group in this way, but never all, and takes new ones
// while it can.
void GroupEvaluator::EvaluateWrites(DateTime now, CommitGroup& group,
                                    std::list<PendingWrite>& queue,
                                    Staging& staging) {
  const bool may_grow = !group.is_head_checked && !group.is_for_deletions;
  const std::size_t most = may_grow ? SIZE_MAX : group.writes.size();
  queue.splice(queue.begin(), group.writes);
  std::size_t text_bytes = 0;
  while (!queue.empty() && group.writes.size() < most) {
    PendingWrite& next = queue.front();
    const bool is_first = group.writes.empty();
    const bool was_missing = rows_.is_missing();
    text_bytes += next.text_bytes;
    if (!is_first && text_bytes > kMaxRecordBytes) return;
    next.outcome = Execute(next.request, now, options_, staging);
    if (is_first) {
      rows_.EndFirst();
    } else if (rows_.is_full() && rows_.is_missing()) {
      if (!was_missing) rows_.ForgetMissing();
      return;
    }
    if (staging.is_full()) return;
    group.writes.splice(group.writes.end(), queue, queue.begin());
  }
}

bool GroupEvaluator::FindRows() {
  const bool is_missing =
      rows_.is_missing() && IsUpToDate() && !rows_.Resolve(store_.state());
  if (is_missing) pages_.Want(rows_.window().TakeMissing());
  return !is_missing;
}

}  // namespace entitable
