// run_matches.h - the rows of a run that match a filter, stretch by stretch.

#ifndef ENTITABLE_STORE_RUN_MATCHES_H_
#define ENTITABLE_STORE_RUN_MATCHES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "model/row_filter.h"
#include "store/entity_place.h"
#include "store/leaf_cursor.h"
#include "store/manifest.h"
#include "store/page_cache.h"
#include "store/sort_key.h"

namespace entitable {

// What a scan had to look at.
struct ScanTally {
  std::uint64_t pages_read = 0;     // Leaf pages that have rows in the ranges,
  std::uint64_t pages_skipped = 0;  // and those that were not needed.
  std::uint64_t entities_examined = 0;
};

// The keys from the beginning of a range up to `end`, and without that one.
struct KeyInterval {
  const SortRange& range;
  std::string_view end;
};

// It goes through the run by stretches of keys, none of which reaches beyond
// the page it stands in.
class RunMatches {
 public:
  // From the key on.  The run must outlive it and stay as it is.
  RunMatches(const Run& run, std::string_view from, ScanTally& tally)
      : pages_(run, from), tally_(&tally) {}

  // Finds out in which page the next stretch begins; false when a page lacks
  // for that, and then the window knows which.
  bool Resolve(PageWindow& window) { return pages_.Resolve(window); }

  // Below: once resolved.

  // Where that page ends; empty when it is the last, or there is none.
  std::string_view page_end() const {
    return pages_.at_end() ? std::string_view() : pages_.page_end();
  }

  // Whether it has rows there.
  bool Enter(const KeyInterval& interval, RowFilter& filter, WorkBudget& work);

  // Below: once it has.

  // Whether a row of the page can match.
  bool may_match() const { return page_match_ != PageMatch::kNone; }

  // How many entities match, when that shows without a look at the page:
  // because all do, and all of it lies in the stretch.
  std::optional<std::uint64_t> CountUnread(const KeyInterval& interval) const;

  // Makes these rows known.  kPageMissing: the page is; then `ahead` pages of
  // the range are asked for.  kPaused: the page is held, and the work is spent
  // before the filter has seen it, or there is no filter yet.
  enum class Loading : std::uint8_t { kLoaded, kPageMissing, kPaused };
  Loading Load(const KeyInterval& interval, std::size_t ahead,
               RowFilter* filter, PageWindow& window, WorkBudget& work);

  // Below: in a stretch; without rows until it is loaded.

  // Whether a row from where it stands on matches.
  bool has_matches() const { return FindMatch(row_) < end_; }

  // It stands at a row, and knows the next match from there on.
  bool at_end() const { return row_ >= end_; }
  const std::string& key() const { return key_; }  // Of the row.

  bool has_match() const { return match_ < end_; }
  bool is_at_match() const { return match_ == row_; }
  std::size_t match_row() const { return match_; }
  const std::string& match_key() const { return match_key_; }
  EntityPlace match() const {
    return {.leaf = leaf_, .page = pages_.entry().page, .row = match_};
  }

  // Reads the key of the row; finds the next match.  Until then they are those
  // from before it moved.
  void ReadKey();
  void FindMatch() { GoToMatch(FindMatch(row_)); }
  bool has_passed_match() const { return match_ < row_; }

  // To the next row; to another one; to the first whose key is no less.
  void NextRow() { ++row_; }
  void GoTo(std::size_t row) { row_ = row; }
  void Seek(std::string_view key);

  // Leaves the row where it is.
  void NextMatch() { GoToMatch(FindMatch(match_ + 1)); }

  // The same up to a row; returns how many matches that passes.
  std::size_t SkipMatches(std::size_t end);

  // The first row behind the match whose key is no less; all of the stretch.
  std::size_t RowsUpTo(std::string_view key) const;
  std::size_t rows_end() const { return end_; }

  // Leaves the stretch that ends there, and the page if that does, too.
  void Close(std::string_view end, PageWindow& window);

 private:
  std::size_t FindMatch(std::size_t row) const;
  std::size_t RowsBefore(std::string_view key) const;
  void GoToMatch(std::size_t row);
  void Ask(const SortRange& range, std::size_t ahead, RowFilter* filter,
           PageWindow& window, WorkBudget& work) const;
  void EnterPage(const SortRange& range);
  bool Match(RowFilter* filter, WorkBudget& work);

  LeafCursor pages_;
  ScanTally* tally_;
  const LeafPage* leaf_ = nullptr;  // Null until loaded.
  bool is_entered_ = false;
  PageMatch page_match_ = PageMatch::kSome;  // Once it is entered.

  // Of the page: a bit a row, which counts within the range; up to where that
  // has rows; and the rows of the stretch that are left.
  std::vector<std::uint64_t> matches_;
  bool is_matched_ = false;
  std::size_t range_end_ = 0;
  std::size_t row_ = 0;
  std::size_t end_ = 0;
  std::string key_;  // Of the row.
  std::size_t match_ = 0;
  std::string match_key_;

  // Where the key of the row behind the match is read; 0: of none.
  std::size_t next_key_row_ = 0;
  Decoder next_key_{{}};
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_RUN_MATCHES_H_
