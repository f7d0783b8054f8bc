// What a scan knows of one run.  The rows of the current page are numbered:
//
//   0        row_        match_        end_        range_end_     row_count
//   |..passed.|....left......|.............|...later....|..outside..|
//
// row_ is the current row, and match_ the next match, which row_ may have
// passed until FindMatch() is called.  end_ is the end of the key interval, and
// range_end_ that of the range, which may go on beyond the interval.  Only the
// rows up to it are filtered, all at once when the page is loaded, and later
// intervals of the page use the same bits.
//
// A page counts as skipped from when the run enters it until it is loaded.  So
// the tally is right also for pages that are never read.

#include "store/run_matches.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bits.h"
#include "store/leaf_rows.h"
#include "store/lookup.h"

namespace entitable {
namespace {

// So few rows are matched one by one.  A filter of a page tests all its rows,
// and an index asks for single ones.
constexpr std::size_t kFewRows = 2;

// Clears all bits of word `i` except those of rows from `begin` up to `end`.
std::uint64_t Clip(std::uint64_t word, std::size_t i, std::size_t begin,
                   std::size_t end) {
  const std::size_t first = i * kWordBits;
  if (first + kWordBits <= begin || end <= first) return 0;
  if (begin > first) word &= ~LowBits(begin - first);
  if (end < first + kWordBits) word &= LowBits(end - first);
  return word;
}

}  // namespace

// A page of one row that precedes the range need not be read.
bool RunMatches::Resolve(PageWindow& window) {
  while (pages_.Resolve(window)) {
    const bool is_passed = !pages_.at_end() &&
                           pages_.entry().totals.rows == 1 &&
                           pages_.entry().first_key < pages_.from();
    if (!is_passed) return true;
    pages_.Skip();
  }
  return false;
}

bool RunMatches::Enter(const KeyInterval& interval, RowFilter& filter,
                       WorkBudget& work) {
  if (pages_.at_end() || page_begin() >= interval.end) return false;
  if (std::exchange(is_entered_, true)) return true;
  ++tally_->pages_skipped;
  page_match_ = filter.MatchZoneMap(pages_.entry().zone_map, work);
  return true;
}

const PageEntry* RunMatches::WholePage(const KeyInterval& interval) const {
  const PageEntry& entry = pages_.entry();
  const bool is_whole =
      std::max(interval.range.begin, pages_.from()) <= entry.first_key &&
      !page_end().empty() && page_end() <= interval.end;
  return page_match_ == PageMatch::kAll && is_whole ? &entry : nullptr;
}

RunMatches::Loading RunMatches::Load(const KeyInterval& interval,
                                     std::size_t ahead, RowFilter* filter,
                                     PageWindow& window, WorkBudget& work) {
  if (leaf_ == nullptr) {
    leaf_ = pages_.Load(window);
    if (leaf_ == nullptr) {
      Ask(interval.range, ahead, filter, window, work);
      return Loading::kPageMissing;
    }
    key_.Forget();
    match_key_.Forget();
    ++tally_->pages_read;
    --tally_->pages_skipped;
    work.Spend(kUnitsPerPage);
    EnterPage(interval.range);
  }
  if (!is_matched_ && !Match(filter, work)) return Loading::kPaused;
  end_ = std::max(row_, RowsBefore(interval.end));
  return Loading::kLoaded;
}

void RunMatches::Ask(const SortRange& range, std::size_t ahead,
                     RowFilter* filter, PageWindow& window,
                     WorkBudget& work) const {
  if (filter == nullptr) return;
  std::uint64_t bytes = ahead * kMaxLeafBytes;
  for (const PageEntry& entry : pages_.following()) {
    if (ahead == 1 || entry.first_key >= range.end || work.is_spent()) break;
    if (filter->MatchZoneMap(entry.zone_map, work) == PageMatch::kNone)
      continue;
    if (entry.totals.bytes > bytes) break;
    bytes -= entry.totals.bytes;
    window.Want(entry.page);
    --ahead;
  }
}

// If the whole page precedes the key, all its rows do.
std::size_t RunMatches::RowsBefore(std::string_view key) const {
  const bool is_all = !page_end().empty() && page_end() <= key;
  return is_all ? leaf_->row_count() : leaf_->LowerBound(key);
}

void RunMatches::EnterPage(const SortRange& range) {
  const std::string& begin = std::max(range.begin, pages_.from());
  row_ = begin <= pages_.entry().first_key ? 0 : leaf_->LowerBound(begin);
  range_end_ = std::max(row_, RowsBefore(range.end));
  matches_.assign(WordCount(leaf_->row_count()), 0);
  // If no row can match, the page was loaded only to hide rows of older runs.
  is_matched_ = !may_match();
}

// Returns false if the work budget is spent first.
bool RunMatches::Match(RowFilter* filter, WorkBudget& work) {
  if (filter == nullptr) return false;
  if (range_end_ - row_ <= kFewRows) {
    MatchEach(*filter, work);
    return true;
  }
  const LeafRows rows(*leaf_, pages_.entry().page, row_, range_end_);
  const auto matches = filter->MatchPage(rows, work);
  if (!matches) return false;
  std::ranges::copy(*matches, matches_.begin());
  tally_->entities_examined += range_end_ - row_;
  is_matched_ = true;
  return true;
}

void RunMatches::MatchEach(RowFilter& filter, WorkBudget& work) {
  std::string key;
  for (std::size_t row = row_; row < range_end_; ++row) {
    if (leaf_->is_tombstone(row)) continue;
    leaf_->KeyOf(row, key);
    const Entity entity = leaf_->EntityOf(row);
    const EntityView view = entity;
    const bool matches = filter.MatchRow(KeyedEntity(key, view), work);
    if (matches)
      matches_[row / kWordBits] |= std::uint64_t{1} << row % kWordBits;
  }
  tally_->entities_examined += range_end_ - row_;
  is_matched_ = true;
}

std::size_t MatchedRows::Next(std::size_t row) const {
  while (row < end) {
    const std::uint64_t left = bits[row / kWordBits] >> row % kWordBits;
    if (left != 0) {
      return row + static_cast<std::size_t>(std::countr_zero(left));
    }
    row = (row / kWordBits + 1) * kWordBits;
  }
  return row;
}

// If the key is that of the next match, no search is needed.
void RunMatches::Seek(std::string_view key) {
  const bool is_match =
      !has_passed_match() && has_match() && match_key() == key;
  row_ = is_match ? match_ : std::clamp(leaf_->LowerBound(key), row_, end_);
}

std::size_t RunMatches::RowsUpTo(std::string_view key) const {
  return std::clamp(leaf_->LowerBound(key), match_ + 1, end_);
}

std::size_t RunMatches::SkipMatches(std::size_t end, std::uint64_t most) {
  std::size_t count = 0;
  const std::size_t words = WordCount(end);
  for (std::size_t i = match_ / kWordBits; i < words; ++i) {
    std::uint64_t word = Clip(matches_[i], i, match_, end);
    const auto here = static_cast<std::size_t>(std::popcount(word));
    if (here > most - count) {
      for (; count < most; ++count) word &= word - 1;
      end = i * kWordBits + static_cast<std::size_t>(std::countr_zero(word));
      break;
    }
    count += here;
  }
  SetMatch(FindMatch(end));
  return count;
}

void RunMatches::Close(std::string_view end, PageWindow& window) {
  row_ = end_;
  const bool is_done = leaf_ != nullptr && end_ == leaf_->row_count();
  if (!is_done && (page_end().empty() || page_end() > end)) return;
  pages_.Next(window);
  leaf_ = nullptr;
  is_entered_ = is_matched_ = false;
  row_ = end_ = match_ = 0;
}

}  // namespace entitable
