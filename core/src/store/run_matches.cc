#include "store/run_matches.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/bits.h"
#include "store/leaf_rows.h"

namespace entitable {
namespace {

// Word `i` with only the bits from one row up to another, and without that one.
std::uint64_t Clip(std::uint64_t word, std::size_t i, std::size_t begin,
                   std::size_t end) {
  const std::size_t first = i * kWordBits;
  if (first + kWordBits <= begin || end <= first) return 0;
  if (begin > first) word &= ~LowBits(begin - first);
  if (end < first + kWordBits) word &= LowBits(end - first);
  return word;
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
    next_key_row_ = 0;
    ++tally_->pages_read;
    --tally_->pages_skipped;
    Match(stretch.range, filter);
  }
  end_ = std::max(row_, RowsBefore(stretch.end));
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

// Of a page that lies before the key as a whole, all.
std::size_t RunMatches::RowsBefore(std::string_view key) const {
  const bool is_all = !page_end().empty() && page_end() <= key;
  return is_all ? leaf_->row_count() : leaf_->LowerBound(key);
}

void RunMatches::Match(const SortRange& range, RowFilter& filter) {
  const std::string& begin = std::max(range.begin, pages_.from());
  row_ = begin <= pages_.entry().first_key ? 0 : leaf_->LowerBound(begin);
  const std::size_t end = std::max(row_, RowsBefore(range.end));
  matches_.assign(WordCount(leaf_->row_count()), 0);
  if (!may_match()) return;  // It is here to hide rows of others.
  const auto matches = filter.MatchPage(LeafRows(*leaf_, row_, end));
  std::ranges::copy(matches, matches_.begin());
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
  for (std::size_t i = 0; i < matches_.size(); ++i) {
    const std::uint64_t word = Clip(matches_[i], i, row_, end_);
    count += static_cast<std::size_t>(std::popcount(word));
  }
  return count;
}

void RunMatches::Hide(std::string_view key) {
  if (const auto row = leaf_->FindRow(key)) Clear(*row);
}

// From match to row to match, over all between them: mostly one run has many
// rows in a row where the other has none.
void RunMatches::HideRowsOf(const RunMatches& newer) {
  if (newer.at_end()) return;
  std::string key;
  std::string hiding;
  std::size_t row = FindMatch(row_);
  while (row < end_) {
    leaf_->KeyOf(row, key);
    // Rows of its page before the beginning of the run are void.
    const std::size_t next = std::max(newer.row_, newer.leaf_->LowerBound(key));
    if (next >= newer.end_) return;
    newer.leaf_->KeyOf(next, hiding);
    if (hiding == key) Clear(row);
    row = FindMatch(std::max(row + 1, leaf_->LowerBound(hiding)));
  }
}

void RunMatches::Clear(std::size_t row) {
  matches_[row / kWordBits] &= ~(std::uint64_t{1} << row % kWordBits);
}

void RunMatches::GoTo(std::size_t row) {
  row_ = std::min(row, end_);
  if (row_ == end_) return;
  // From the last key on, unless a restart lies between: it is read without
  // what is before it.
  const std::size_t restart = row_ / kKeysPerRestart * kKeysPerRestart;
  if (next_key_row_ > restart && next_key_row_ <= row_) {
    for (; next_key_row_ <= row_; ++next_key_row_) {
      KeyBlock::Next(next_key_, key_);
    }
  } else {
    next_key_ = leaf_->KeyOf(row_, key_);
    next_key_row_ = row_ + 1;
  }
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
