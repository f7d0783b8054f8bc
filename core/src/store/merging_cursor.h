// merging_cursor.h - the matches of several runs in key order.

#ifndef ENTITABLE_STORE_MERGING_CURSOR_H_
#define ENTITABLE_STORE_MERGING_CURSOR_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "store/run_matches.h"

namespace entitable {

// A match is hidden where a newer run has a row of its key, whether that
// matches or not.
//
// Two heaps hold the runs: by the row at which each stands, and by the next
// match of each.  A run that stands before the least match goes there in one
// search.  A run that has the least match owns all rows up to where the next
// run stands, so its matches there need no comparison.  So the work grows with
// the number of runs as a logarithm does, and is no more than the matches, or
// than the rows, make necessary.
class MergingCursor {
 public:
  // In a stretch, for which all are loaded.  The newest comes first.
  void Begin(std::vector<RunMatches>& runs);

  // Finds the least match, and stays there.
  enum class Step : std::uint8_t { kMatch, kEnd, kPaused };
  Step Find(WorkBudget& work);

  // Below: at a match.

  const RunMatches& run() const { return *owner_; }

  // Goes on behind it.
  void Next() { owner_->NextMatch(); }

  // Goes on behind it and those that follow in the same run: up to a key that
  // is greater, or, without one, as far as no other run has a say.  Returns how
  // many they are.
  std::size_t Skip(const std::string* end);

  // Below: when it is paused.

  // All that comes before has been found.  Empty: all there is.
  std::string_view place() const {
    return rows_.empty() ? std::string_view() : rows_.front()->key();
  }

 private:
  using Heap = std::vector<RunMatches*>;

  void Push(RunMatches& run);
  RunMatches& PopRow();
  void LetGo();
  bool RefreshMatches();
  bool SeekAll(std::string_view key, WorkBudget& work);
  void Take(WorkBudget& work);

  Heap rows_;     // By key(), then the newest first.
  Heap matches_;  // By match_key(), in the same way.

  // In neither heap: the run that has the least match, and up to which row
  // nothing else lies between.
  RunMatches* owner_ = nullptr;
  std::size_t owned_end_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_MERGING_CURSOR_H_
