// merging_cursor.h - visits the matches of several sorted runs in key order.

#ifndef ENTITABLE_STORE_MERGING_CURSOR_H_
#define ENTITABLE_STORE_MERGING_CURSOR_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "store/run_matches.h"

namespace entitable {

// A match is hidden if a newer run has a row with the same key, whether or not
// that row matches.
//
// Two heaps order the runs: one by the current row of each run, the other by
// its next match.  A run whose row precedes the least match moves there in one
// search.  The run with the least match owns all rows up to the current row of
// the next run, so its matches there need no comparison.  The work therefore
// grows with the logarithm of the number of runs, and never exceeds what the
// matches (or the rows, if fewer) require.
class MergingCursor {
 public:
  // Begins in a key interval for which all runs are loaded.  The newest run
  // comes first.
  void Begin(std::vector<RunMatches>& runs);

  // Moves to the least match that is not before the current position.
  enum class Found : std::uint8_t { kMatch, kEnd, kPaused };
  Found Find(WorkBudget& work);

  // The functions below need Find() to have returned kMatch.

  const RunMatches& run() const { return *owner_; }

  // Continues behind the match.
  void Next() { owner_->NextMatch(); }

  // Take the match and the following matches of the same run that precede
  // `end`, and that no other run can hide; at most so many.  Continue behind
  // them.
  MatchedRows Take(const std::string* end, std::uint64_t most);

  // The same.  Returns their number.
  std::size_t Skip(const std::string* end, std::uint64_t most);

  // The functions below need Find() to have returned kPaused.

  // All matches before this key were found.  Empty: all matches were found.
  std::string_view place() const {
    return rows_.empty() ? std::string_view() : rows_.front()->key();
  }

 private:
  using Heap = std::vector<RunMatches*>;

  void Push(RunMatches& run);
  RunMatches& PopRow();
  void LetGo();
  bool RefreshMatches();
  bool SeekAll(RunMatches& match, WorkBudget& work);
  void Decide(WorkBudget& work);
  std::size_t FollowingEnd(const std::string* end) const {
    return end == nullptr ? owned_end_
                          : std::min(owned_end_, owner_->RowsUpTo(*end));
  }

  // A comparison decodes keys.  So a run keeps its row while it is in `rows_`,
  // and its match while it is in `matches_`.
  Heap rows_;     // By key(), then newest first.
  Heap matches_;  // By match_key(), then newest first.

  // The run with the least match, which is in neither heap, and the row up to
  // which no other run has rows.
  RunMatches* owner_ = nullptr;
  std::size_t owned_end_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_MERGING_CURSOR_H_
