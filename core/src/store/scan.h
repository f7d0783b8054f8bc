// scan.h - the rows of ranges that match a filter, each in its newest state.

#ifndef ENTITABLE_STORE_SCAN_H_
#define ENTITABLE_STORE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work_budget.h"
#include "model/row_filter.h"
#include "store/account_state.h"
#include "store/entity_place.h"
#include "store/merging_cursor.h"
#include "store/page_cache.h"
#include "store/run_matches.h"
#include "store/sort_key.h"

namespace entitable {

// Where it stands is a key, so it goes on through folds and merges, and after
// any wait, without beginning anew.
//
// It goes by stretches of keys, in which no run has more than one page: the
// filter sees the page as a whole, then what matches is merged, as far as it is
// asked for.
class Scan {
 public:
  // The ranges are in key order and disjoint, each within a table.  The filter
  // and the tally must outlive it.
  Scan(std::vector<SortRange> ranges, RowFilter& filter, ScanTally& tally)
      : ranges_(std::move(ranges)), filter_(filter), tally_(tally) {}

  // Whether the place is in what is left of the ranges.
  bool Covers(std::string_view sort_key) const;

  enum class Step : std::uint8_t {
    kRow,
    kEnd,
    kWaiting,  // Pages lack, and the window knows which.
    kPaused,   // The work is spent; more is left.
  };

  // What the window held is gone: goes on from its place.
  void Interrupt() { version_ = kNoVersion; }

  // To the next match, in key order.  The window is the same in every call.
  Step Next(const AccountState& state, PageWindow& window, WorkBudget& work);

  // After kRow and kPaused: a place in the table behind all matches so far,
  // from which on another scan finds the others.  Its ranges may begin there,
  // and then there is no progress to be told.
  std::string Place() const;

  // Valid until the next call.
  std::string_view key() const { return key_; }
  const EntityPlace& place() const { return place_; }

  // Instead of all that: adds all matches up, and so ends with kEnd.
  Step Count(const AccountState& state, PageWindow& window, WorkBudget& work);
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint64_t kNoVersion = ~std::uint64_t{0};

  using MemRows = Memtable::Rows::const_iterator;

  SortRange& range() { return ranges_[at_range_]; }
  KeyInterval interval() { return {range(), interval_end_}; }

  // Where the next match is.
  enum class Source : std::uint8_t { kMemory, kRun, kNone, kPaused };

  Step OpenInterval(const AccountState& state, PageWindow& window,
                    WorkBudget& work);
  void CloseInterval(PageWindow& window);
  void Begin(const AccountState& state, PageWindow& window, WorkBudget& work);
  void StopIfChanged(const AccountState& state);
  bool ResolveAll(PageWindow& window);
  bool CountUnread(WorkBudget& work);
  Step LoadAll(PageWindow& window, WorkBudget& work);
  Source FindNext(WorkBudget& work);
  Source FindMemRow(const std::string* end, WorkBudget& work);
  bool HasMemRowBefore(std::string_view key) const {
    return mem_ != mem_end_ && mem_->first < key;
  }
  Step Wait();

  std::vector<SortRange> ranges_;  // What is left of them.
  RowFilter& filter_;
  ScanTally& tally_;
  std::size_t at_range_ = 0;
  std::uint64_t version_ = 0;
  bool is_placed_ = false;
  bool is_new_ = false;    // Nothing was opened since it was last placed.
  std::size_t ahead_ = 1;  // Pages to ask for at once.

  // The stretch, which begins where the range does.
  bool is_open_ = false;
  std::string interval_end_;
  MemRows mem_;  // The next row.
  MemRows mem_end_;
  std::vector<RunMatches> runs_;  // The newest first.
  MergingCursor matches_;
  std::string paused_at_;  // Empty: at the last match.

  bool is_counting_ = false;
  std::uint64_t count_ = 0;
  std::string key_;
  EntityPlace place_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_SCAN_H_
