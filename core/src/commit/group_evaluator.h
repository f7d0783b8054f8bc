// group_evaluator.h - evaluates the writes of a commit group.

#ifndef ENTITABLE_COMMIT_GROUP_EVALUATOR_H_
#define ENTITABLE_COMMIT_GROUP_EVALUATOR_H_

#include <cstdint>
#include <list>
#include <optional>

#include "base/date_time.h"
#include "base/work_budget.h"
#include "commit/commit_group.h"
#include "entitable/engine.h"
#include "host/memory.h"
#include "host/page_reader.h"
#include "store/store.h"
#include "write/staging.h"
#include "write/stored_rows.h"

namespace entitable {

// Invariant: the rows that it keeps are those of the present manifest.  A row
// of another manifest is looked up again.
class GroupEvaluator {
 public:
  GroupEvaluator(const EngineOptions& options, const Memory& memory,
                 Store& store, PageReader& pages)
      : options_(options),
        store_(store),
        pages_(pages),
        rows_(store.cache(), memory) {}

  // Evaluates the group against the newest state, and returns what is to be
  // stored.  The group may take writes from the queue, or give writes back to
  // it.  Returns nothing if pages are missing, which the page reader fetches,
  // or if a step of an import is paused because the work is spent.
  std::optional<Staging> Evaluate(DateTime now, CommitGroup& group,
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
  void EvaluateWrites(DateTime now, CommitGroup& group,
                      std::list<PendingWrite>& queue, Staging& staging);

  const EngineOptions& options_;
  Store& store_;
  PageReader& pages_;
  StoredRows rows_;
  std::uint64_t manifest_changes_ = 0;  // Of the state, for these rows.
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_GROUP_EVALUATOR_H_
