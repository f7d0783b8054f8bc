// commit_group.h - the writes that share one commit (group commit).

#ifndef ENTITABLE_COMMIT_COMMIT_GROUP_H_
#define ENTITABLE_COMMIT_COMMIT_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <list>
#include <optional>

#include "base/date_time.h"
#include "base/poll.h"
#include "base/work_budget.h"
#include "commit/group_verdict.h"
#include "entitable/engine.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "entitable/storage.h"
#include "host/host_link.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "load/load_step.h"
#include "store/store.h"
#include "write/staging.h"
#include "write/stored_rows.h"
#include "write/write_request.h"

namespace entitable {

struct PendingWrite {
  RequestId id;
  WriteRequest request;
  std::size_t text_bytes;  // Of the operation.
  Charge charge;
  Poll<Response> outcome = Response();  // Of the last evaluation.
};

// Invariant: the writes of the group are those that its last evaluation took.
// A write is answered once, when it leaves the group.
struct CommitGroup {
  std::list<PendingWrite> writes;
  // A step of an import, and the outcome of its evaluation.  Such a group has
  // no writes.
  LoadStep* load = nullptr;
  std::optional<Poll<void>> load_outcome;

  // The number of this commit among the commits of this engine.
  std::uint64_t commit = 0;
  RecordHead record;
  SharedBytes value;               // The record as it was sent.
  std::uint64_t sent_version = 0;  // The version of the state at that time.

  enum class Members : std::uint8_t {
    kMayJoin,
    // The storage is full: only deletions are tried, and no writes join.
    kDeletions,
    // The engine has checked the log since the writes were submitted, and the
    // state is up to date.  So refusals are exact, and no writes join.
    kChecked,
  };
  Members members = Members::kMayJoin;

  GroupRecord sent = GroupRecord::kNone;
  int searches = 0;  // Of the log, after an unknown outcome.

  // A read of the log has found records of other engines.
  bool has_met_others = false;

  bool is_evaluated() const { return !writes.empty() || load_outcome; }
  bool has_failure() const;

  // The manifest that goes with the record and the pages of the load.  Null if
  // the record comes without pages.
  const Bytes* manifest() const;

  // Whether the record only takes away.
  bool frees() const;

  // The commit of the record, which was made for this state.
  Batch MakeBatch(const AccountState& state) const;

  // Answers each write with its outcome.
  void AnswerWrites(HostLink& host);

  // The writes that were to be stored fail with the reason and leave the group;
  // or those of them that are no deletions.
  void FailStored(const Error& reason, HostLink& host);
  void FailStoredButDeletions(const Error& reason, HostLink& host);

  // All writes fail: those that were to be stored with the first reason, the
  // others with the second.
  void FailWrites(const Error& of_stored, const Error& of_others,
                  HostLink& host);
};

// ------------------------------------------------------------- group evaluator

// Evaluates the writes of a commit group.

// Invariant: the rows that it keeps are those of the present manifest.  A row
// of another manifest is looked up again.
class GroupEvaluator {
 public:
  GroupEvaluator(const EngineOptions& options, const HostMemory& memory,
                 Store& store, PageReader& pages)
      : options_(options),
        store_(store),
        pages_(pages),
        rows_(store.cache(), memory) {}

  // Evaluates the group against the newest state, and returns what is to be
  // stored.  The group may take writes from the queue, or give writes back to
  // it.  The page reader fetches missing pages.  Only a step of an import waits
  // for the next slice.
  std::expected<Staging, Pending> Evaluate(DateTime now, CommitGroup& group,
                                           std::list<PendingWrite>& queue,
                                           WorkBudget& work);

  // Pages were fetched.  Returns false if more pages are needed before it is
  // worth to evaluate the group again.
  bool FindRows();

  // Whether the manifest is still the one of the last evaluation.
  bool IsUpToDate() const {
    return manifest_changes_ == store_.state().manifest_changes();
  }

  // Of the rows that were found for the group.
  std::size_t found_bytes() const { return rows_.found_bytes(); }

  void Clear() { rows_.Clear(); }

  const PageWindow& window() const { return rows_.window(); }

 private:
  bool EvaluateWrites(DateTime now, CommitGroup& group,
                      std::list<PendingWrite>& queue, Staging& staging);

  const EngineOptions& options_;
  Store& store_;
  PageReader& pages_;
  StoredRows rows_;
  std::uint64_t manifest_changes_ = 0;  // Of the state, for these rows.
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_COMMIT_GROUP_H_
