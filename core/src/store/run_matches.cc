#include "store/run_matches.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bits.h"
#include "store/leaf_rows.h"

namespace entitable {
namespace {

// Keeps the bits from one row up to another, and without that one.
void KeepRows(std::size_t begin, std::size_t end,
              std::vector<std::uint64_t>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = i * kWordBits;
    if (first + kWordBits <= begin || end <= first) {
      words[i] = 0;
      continue;
    }
    if (begin > first) words[i] &= ~LowBits(begin - first);
    if (end < first + kWordBits) words[i] &= LowBits(end - first);
  }
}

}  // namespace

bool RunMatches::Enter(const Stretch& stretch, RowFilter& filter) {
  if (pages_.at_end()) return false;
  if (std::max(pages_.entry().first_key, pages_.from()) >= stretch.end) {
    return false;
  }
  if (std::exchange(is_entered_, true)) return true;
  ++tally_->pages_skipped;
  forecast_ = filter.Foresee(pages_.entry().zones);
  return true;
}

std::optional<std::uint64_t> RunMatches::CountUnread(
    const Stretch& stretch) const {
  const PageEntry& entry = pages_.entry();
  const bool is_whole =
      std::max(stretch.range.begin, pages_.from()) <= entry.first_key &&
      !page_end().empty() && page_end() <= stretch.end;
  if (forecast_ != Forecast::kAll || !is_whole) return std::nullopt;
  return entry.totals.rows - entry.totals.deleted;
}

bool RunMatches::Load(const Stretch& stretch, std::size_t ahead,
                      RowFilter& filter, PageWindow& window) {
  if (leaf_ == nullptr) {
    leaf_ = pages_.Load(window);
    if (leaf_ == nullptr) {
      Ask(stretch.range, ahead, filter, window);
      return false;
    }
    ++tally_->pages_read;
    --tally_->pages_skipped;
    Match(stretch.range, filter);
  }
  end_ = std::max(row_, leaf_->LowerBound(stretch.end));
  return true;
}

void RunMatches::Ask(const SortRange& range, std::size_t ahead,
                     RowFilter& filter, PageWindow& window) const {
  for (const PageEntry& entry : pages_.following()) {
    if (ahead == 1 || entry.first_key >= range.end) break;
    if (filter.Foresee(entry.zones) == Forecast::kNone) continue;
    window.Want(entry.page);
    --ahead;
  }
}

void RunMatches::Match(const SortRange& range, RowFilter& filter) {
  row_ = leaf_->LowerBound(std::max(range.begin, pages_.from()));
  const std::size_t end = std::max(row_, leaf_->LowerBound(range.end));
  matches_.assign(WordCount(leaf_->row_count()), 0);
  if (!may_match()) return;  // It is here to hide rows of others.
  const auto matches = filter.MatchPage(LeafRows(*leaf_, row_, end));
  std::ranges::copy(matches, matches_.begin());
  KeepRows(row_, end, matches_);
  tally_->entities_examined += end - row_;
}

std::size_t RunMatches::FindMatch(std::size_t row) const {
  while (row < end_) {
    const std::uint64_t left = matches_[row / kWordBits] >> row % kWordBits;
    if (left != 0) {
      return row + static_cast<std::size_t>(std::countr_zero(left));
    }
    row = (row / kWordBits + 1) * kWordBits;
  }
  return row;
}

std::size_t RunMatches::CountMatches() const {
  std::size_t count = 0;
  for (std::size_t i = row_ / kWordBits; i < WordCount(end_); ++i) {
    std::uint64_t word = matches_[i];
    const std::size_t first = i * kWordBits;
    if (first < row_) word &= ~LowBits(row_ - first);
    if (end_ < first + kWordBits) word &= LowBits(end_ - first);
    count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

void RunMatches::Hide(std::string_view key) {
  if (const auto row = leaf_->FindRow(key)) Clear(*row);
}

// Looks up whichever are fewer in the other page.
void RunMatches::HideRowsOf(const RunMatches& newer) {
  std::string key;
  if (newer.end_ - newer.row_ < CountMatches()) {
    for (std::size_t row = newer.row_; row < newer.end_; ++row) {
      newer.leaf_->KeyOf(row, key);
      Hide(key);
    }
    return;
  }
  for (std::size_t row = FindMatch(row_); row < end_;
       row = FindMatch(row + 1)) {
    leaf_->KeyOf(row, key);
    if (newer.HasRow(key)) Clear(row);
  }
}

// Rows of its page before the beginning of the run are void.
bool RunMatches::HasRow(std::string_view key) const {
  const auto row = leaf_->FindRow(key);
  return row && row_ <= *row && *row < end_;
}

void RunMatches::Clear(std::size_t row) {
  matches_[row / kWordBits] &= ~(std::uint64_t{1} << row % kWordBits);
}

void RunMatches::GoTo(std::size_t row) {
  row_ = std::min(row, end_);
  if (row_ < end_) leaf_->KeyOf(row_, key_);
}

void RunMatches::Close(std::string_view end, PageWindow& window) {
  row_ = end_;
  if (page_end().empty() || page_end() > end) return;
  pages_.Next(window);
  leaf_ = nullptr;
  is_entered_ = false;
  row_ = end_ = 0;
}

}  // namespace entitable
