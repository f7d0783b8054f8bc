// scan.h - finds the matching rows of key ranges, each in its newest state.
//
// A scan reads the rows of sorted ranges from all runs and from the memtable,
// and returns of each key the newest state, if the filter accepts it.  It goes
// by key intervals, each of which ends where the first of the current pages
// ends:
//
//   newest run  |   page 4      |      page 5      |
//   older run   | page 7 |     page 8     | page 9 |
//   intervals   |   1    |  2   |    3    |   4    |
//
// So each run has at most one page in an interval, and a page is filtered as a
// whole, once, although it may be part of several intervals.  An interval is
//
//   opened    ResolveAll() finds the pages by the directories.  LoadAll() asks
//             for those that matter, and has each filtered.
//   merged    FindNext() returns matches in key order, from the runs and from
//             the memtable, whose rows are newer than all pages.
//   closed    its pages are released, as far as they end here.
//
// A page matters if its zone map allows a match, or if it may hide matches of
// an older run.  LoadAll() begins with the oldest run, so it knows of each page
// whether an older one has matches or may have some.
//
// The position is a key and nothing else.  What is known of pages belongs to
// one version of the state.  StopIfChanged() throws it away when that is
// another one and begins a new interval behind the last match.  So a scan goes
// on after any flush, compaction or wait, and returns no row twice.
//
// If pages are missing, the window holds those that are there, so all pages of
// an interval come together in the end.  Each wait doubles the number of pages
// that are asked for ahead, up to 16: a scan that needs one page asks for one,
// and a long one soon reads in large requests.  If the ranges are rows that an
// index names, Gather() asks for the pages of many ranges at once.

#ifndef ENTITABLE_STORE_SCAN_H_
#define ENTITABLE_STORE_SCAN_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/work_budget.h"
#include "model/row_filter.h"
#include "store/account_state.h"
#include "store/leaf_page.h"
#include "store/lookup.h"
#include "store/merging_cursor.h"
#include "store/page_cache.h"
#include "store/run_matches.h"
#include "store/sort_key.h"

namespace entitable {

// Is given pages whose entities all match, before they are read.
class PageTaker {
 public:
  // Returns false if the page must be read.
  virtual bool Accept(const PageEntry& page) = 0;

 protected:
  ~PageTaker() = default;
};

// It finds matches as far as its caller asks for them.
class Scan {
 public:
  // The ranges are in key order and disjoint, each within one table.  The
  // filter and the tally must outlive the scan.
  Scan(std::vector<SortRange> ranges, RowFilter& filter, ScanTally& tally)
      : ranges_(std::move(ranges)), filter_(filter), tally_(tally) {}

  // The ranges are single rows, whose pages may lie anywhere.  Fetches those of
  // the next `most` ranges together, as far as the window has room.
  void FetchTogether(std::size_t most) { together_ = most; }

  // Whether the rest of the ranges contains the key.
  bool Covers(std::string_view sort_key) const;

  static constexpr std::uint64_t kAllMatches =
      std::numeric_limits<std::uint64_t>::max();

  enum class Step : std::uint8_t {
    kRow,
    kEnd,
    kWaiting,  // Pages are missing; the window knows which.
    kPaused,   // The work budget is spent, and there is more to do.
  };

  // The pages of the window are gone.  The scan continues from its position.
  void Interrupt() { version_ = kNoVersion; }

  // Moves to the next match in key order.  Every call must use the same window.
  Step Next(const AccountState& state, PageWindow& window, WorkBudget& work);

  // After kRow and kPaused: a key behind all matches so far.  Another scan that
  // starts there finds the other matches.  It can be the start of the ranges;
  // then there is no progress yet.
  std::string Position() const;

  // Valid until the next call.
  std::string_view key() const { return key_; }
  const EntityPlace& place() const { return place_; }

  // Instead of Next(): moves to the next matches, at most so many.  After kRow,
  // they are one entity in memory, whose key() and place() are known, or rows()
  // of a page; then place() has no entity.  Valid until the next call.  Pages
  // that no other run overlaps are first given to the taker, if there is one.
  Step NextRows(const AccountState& state, PageWindow& window, WorkBudget& work,
                std::uint64_t most, PageTaker* taker = nullptr);
  const MatchedRows& rows() const { return rows_; }
  // Of one of these rows; faster if they are asked for in their order.  Valid
  // until the next call.
  const std::string& KeyOf(std::size_t row) {
    return row_key_.Read(*rows_.leaf, row);
  }

  // Instead of Next(): moves to the match with this number; 1 is the first one
  // since the scan was made.  It counts the matches before it, and reads no
  // page whose matches a directory page counts.  Next() may follow.
  //
  // kEnd: there are not so many.  count() is then their number.
  Step GoTo(std::uint64_t number, const AccountState& state, PageWindow& window,
            WorkBudget& work);
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint64_t kNoVersion = ~std::uint64_t{0};

  using MemRows = Memtable::Rows::const_iterator;

  SortRange& range() { return ranges_[at_range_]; }
  KeyInterval interval() { return {range(), interval_end_}; }

  // Where the next match is.
  enum class Source : std::uint8_t { kMemory, kRun, kNone, kPaused };

  Step CountUpTo(std::uint64_t count, const AccountState& state,
                 PageWindow& window, WorkBudget& work);
  Step OpenInterval(const AccountState& state, PageWindow& window,
                    WorkBudget& work);
  void LimitInterval();
  void CloseInterval(PageWindow& window);
  void Begin(const AccountState& state, PageWindow& window, WorkBudget& work);
  void StopIfChanged(const AccountState& state);
  void Gather(const AccountState& state, PageWindow& window,
              WorkBudget& work) const;
  bool ResolveAll(PageWindow& window);
  bool AcceptUnread(WorkBudget& work);
  Step LoadAll(PageWindow& window, WorkBudget& work);
  Source FindNext(WorkBudget& work);
  void MoveToRows(std::uint64_t most);
  Source FindMemRow(const std::string* end, WorkBudget& work);
  bool HasMemRowBefore(std::string_view key) const {
    return mem_ != mem_end_ && mem_->first < key;
  }
  const std::string* NextMemKey() const {
    return HasMemRowBefore(interval_end_) ? &mem_->first : nullptr;
  }
  Step Wait(const AccountState& state, PageWindow& window, WorkBudget& work);

  std::vector<SortRange> ranges_;  // What is left of them.
  RowFilter& filter_;
  ScanTally& tally_;
  std::size_t at_range_ = 0;
  std::uint64_t version_ = 0;
  bool is_placed_ = false;
  // Begin() was called, and no interval was opened since.
  bool is_new_ = false;
  std::size_t ahead_ = 1;     // How many pages to ask for at once.
  std::size_t together_ = 0;  // FetchTogether(); 0: each range on its own.
  // The pages of the ranges before it are fetched together, and stay in the
  // window until all of these have been read.
  std::size_t gathered_end_ = 0;

  // The interval, which begins where the range begins.
  bool is_open_ = false;
  std::string interval_end_;
  MemRows mem_;  // The next row.
  MemRows mem_end_;
  std::vector<RunMatches> runs_;  // The newest first.
  MergingCursor matches_;
  std::string paused_at_;  // If empty, at the last match.

  // The matches that were counted, and how many may be.
  std::uint64_t count_ = 0;
  std::uint64_t most_ = 0;
  PageTaker* taker_ = nullptr;
  std::string key_;
  EntityPlace place_;
  MatchedRows rows_{};
  PageKey row_key_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_SCAN_H_
