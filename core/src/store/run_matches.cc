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

bool RunMatches::Enter(const Stretch& stretch) {
  if (pages_.at_end()) return false;
  if (std::max(pages_.entry().first_key, pages_.from()) >= stretch.end) {
    return false;
  }
  if (!std::exchange(is_counted_, true)) ++tally_->pages_skipped;
  return true;
}

bool RunMatches::Load(const Stretch& stretch, std::size_t ahead,
                      RowFilter& filter, PageWindow& window) {
  if (leaf_ == nullptr) {
    leaf_ = pages_.Load(window);
    if (leaf_ == nullptr) {
      Ask(stretch.range, ahead, window);
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
                     PageWindow& window) const {
  for (const PageEntry& entry : pages_.following()) {
    if (--ahead == 0 || entry.first_key >= range.end) break;
    window.Want(entry.page);
  }
}

void RunMatches::Match(const SortRange& range, RowFilter& filter) {
  row_ = leaf_->LowerBound(std::max(range.begin, pages_.from()));
  const std::size_t end = std::max(row_, leaf_->LowerBound(range.end));
  const auto matches = filter.MatchPage(LeafRows(*leaf_, row_, end));
  matches_.assign(matches.begin(), matches.end());
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
  is_counted_ = false;
  row_ = end_ = 0;
}

}  // namespace entitable
