// run_matches.h - finds the rows of a sorted run that match a filter, one key
// interval at a time.

#ifndef ENTITABLE_STORE_RUN_MATCHES_H_
#define ENTITABLE_STORE_RUN_MATCHES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "model/row_filter.h"
#include "store/leaf_page.h"
#include "store/leaf_rows.h"
#include "store/lookup.h"
#include "store/manifest.h"
#include "store/page_cache.h"
#include "store/sort_key.h"

namespace entitable {

// The cost of a scan.
struct ScanTally {
  // Leaf pages with rows in the ranges that were read, and that were skipped.
  std::uint64_t pages_read = 0;
  std::uint64_t pages_skipped = 0;
  std::uint64_t entities_examined = 0;
};

// The keys from the beginning of a range up to `end`, without `end`.
struct KeyInterval {
  const SortRange& range;
  std::string_view end;
};

// Matches of one page: the rows from `begin` up to `end`, without it, whose
// bits are set.  A view, like EntityPlace.
struct MatchedRows {
  const LeafPage* leaf;
  PageId page;
  std::span<const std::uint64_t> bits;
  std::size_t begin;
  std::size_t end;

  // The first match at or behind a row; `end` or a later row if there is none.
  std::size_t Next(std::size_t row) const;
};

// Goes through the run by key intervals.  No interval reaches beyond the page
// in which it begins.
class RunMatches {
 public:
  // Starts at the key.  The run must outlive this object and must not change.
  RunMatches(const Run& run, std::string_view from, ScanTally& tally)
      : pages_(run, from), tally_(&tally) {}

  // Finds the page in which the next interval begins.  Returns false if a page
  // is missing; the window then knows which.
  bool Resolve(PageWindow& window);

  // The functions below need Resolve() to have succeeded.

  // The end of that page; empty if it is the last page or there is none.
  std::string_view page_end() const {
    return pages_.at_end() ? std::string_view() : pages_.page_end();
  }

  // The beginning of that page or of the range, if that is greater, and the
  // page's size.  Must not be called at the end of the run.
  bool at_end_of_run() const { return pages_.at_end(); }
  std::string_view page_begin() const {
    return std::max(pages_.entry().first_key, pages_.from());
  }
  std::uint64_t page_bytes() const { return pages_.entry().totals.bytes; }

  // Begins an interval.  Returns whether the run may have rows in it.
  bool Enter(const KeyInterval& interval, RowFilter& filter, WorkBudget& work);

  // The functions below need Enter() to have returned true.

  // Whether a row of the page can match, according to its zone map.
  bool may_match() const { return page_match_ != PageMatch::kNone; }

  // What the directory says of the page, if all its entities match and it lies
  // in the interval as a whole; null otherwise.
  const PageEntry* WholePage(const KeyInterval& interval) const;

  // Loads the rows of the interval and applies the filter. kPageMissing: the
  // page is missing, and `ahead` pages of the range were asked for. kPaused:
  // the window holds the page, but the work budget is spent, or `filter` is
  // null.
  enum class Loading : std::uint8_t { kLoaded, kPageMissing, kPaused };
  Loading Load(const KeyInterval& interval, std::size_t ahead,
               RowFilter* filter, PageWindow& window, WorkBudget& work);

  // The functions below are valid in an interval.  It has no rows until it is
  // loaded.

  // Whether a row at or after the current row matches.
  bool has_matches() const { return FindMatch(row_) < end_; }

  // The current row, and the next match at or after it.
  bool at_end() const { return row_ >= end_; }
  // Of the current row.
  const std::string& key() const { return key_.Read(*leaf_, row_); }

  bool has_match() const { return match_ < end_; }
  bool is_at_match() const { return match_ == row_; }
  std::size_t match_row() const { return match_; }
  const std::string& match_key() const {
    return match_key_.Read(*leaf_, match_);
  }
  EntityPlace match() const {
    return {.leaf = leaf_, .page = pages_.entry().page, .row = match_};
  }

  // Updates the match after the current row has changed.
  void FindMatch() { SetMatch(FindMatch(row_)); }
  bool has_passed_match() const { return match_ < row_; }

  // Move to the next row, to a given row, to the match, or to the first row
  // whose key is not less than `key`.
  void NextRow() { ++row_; }
  void GoTo(std::size_t row) { row_ = row; }
  void GoToMatch() { row_ = match_; }
  void Seek(std::string_view key);

  // Moves to the next match.  The current row stays.
  void NextMatch() { SetMatch(FindMatch(match_ + 1)); }

  // The match and those behind it before row `end`.
  MatchedRows MatchesBefore(std::size_t end) const {
    return {leaf_, pages_.entry().page, matches_, match_, end};
  }

  // Moves past all matches before row `end`, or past the first `most` of them.
  // Returns their number.
  std::size_t SkipMatches(std::size_t end, std::uint64_t most);

  // The first row behind the match whose key is not less than `key`; or the end
  // of the interval.
  std::size_t RowsUpTo(std::string_view key) const;
  std::size_t rows_end() const { return end_; }

  // Ends the interval, and releases its page if no row of it is left.
  void Close(std::string_view end, PageWindow& window);

 private:
  std::size_t FindMatch(std::size_t row) const {
    return MatchedRows{leaf_, 0, matches_, row, end_}.Next(row);
  }
  std::size_t RowsBefore(std::string_view key) const;
  void SetMatch(std::size_t row) { match_ = std::min(row, end_); }
  void Ask(const SortRange& range, std::size_t ahead, RowFilter* filter,
           PageWindow& window, WorkBudget& work) const;
  void EnterPage(const SortRange& range);
  bool Match(RowFilter* filter, WorkBudget& work);
  void MatchEach(RowFilter& filter, WorkBudget& work);

  LeafCursor pages_;
  ScanTally* tally_;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  bool is_entered_ = false;
  PageMatch page_match_ = PageMatch::kSome;  // Set by Enter().

  // For the page: the matches, one bit per row, valid within the range, and the
  // end of the range.  For the interval: the rows that are left.
  std::vector<std::uint64_t> matches_;
  bool is_matched_ = false;
  std::size_t range_end_ = 0;
  std::size_t row_ = 0;
  std::size_t end_ = 0;
  std::size_t match_ = 0;

  // Keys are decoded when they are asked for.
  mutable PageKey key_;
  mutable PageKey match_key_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_MATCHES_H_
