#include "store/merging_cursor.h"

#include <algorithm>

namespace entitable {
namespace {

// Runs stand in a vector, the newest first.  The least is to be at the front of
// a heap, where the standard library has the greatest.
bool HasLaterRow(const RunMatches* a, const RunMatches* b) {
  const int order = a->key().compare(b->key());
  return order != 0 ? order > 0 : a > b;
}

bool HasLaterMatch(const RunMatches* a, const RunMatches* b) {
  const int order = a->match_key().compare(b->match_key());
  return order != 0 ? order > 0 : a > b;
}

}  // namespace

// A run that is newer than all with matches cannot hide any, nor can the others
// that have none; but these need not be told apart: they cost a search for each
// match at most.
void MergingCursor::Begin(std::vector<RunMatches>& runs) {
  rows_.clear();
  matches_.clear();
  owner_ = nullptr;
  bool is_needed = false;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    is_needed |= run->has_matches();
    if (!is_needed || run->at_end()) continue;
    run->FindMatch();
    Push(*run);
    if (!run->has_match()) continue;
    matches_.push_back(&*run);
    std::push_heap(matches_.begin(), matches_.end(), HasLaterMatch);
  }
}

void MergingCursor::Push(RunMatches& run) {
  if (run.at_end()) return;
  run.ReadKey();
  rows_.push_back(&run);
  std::push_heap(rows_.begin(), rows_.end(), HasLaterRow);
}

RunMatches& MergingCursor::PopRow() {
  std::pop_heap(rows_.begin(), rows_.end(), HasLaterRow);
  RunMatches& run = *rows_.back();
  rows_.pop_back();
  return run;
}

MergingCursor::Step MergingCursor::Find(WorkBudget& work) {
  if (owner_ != nullptr) {
    if (owner_->match_row() < owned_end_) return Step::kMatch;
    LetGo();
    if (work.is_spent() && !matches_.empty()) return Step::kPaused;
  }
  while (RefreshMatches()) {
    if (!SeekAll(matches_.front()->match_key(), work)) return Step::kPaused;
    Take(work);
    if (owner_ != nullptr) return Step::kMatch;
    if (work.is_spent()) return Step::kPaused;
  }
  return Step::kEnd;
}

void MergingCursor::LetGo() {
  RunMatches& run = *owner_;
  owner_ = nullptr;
  run.GoTo(owned_end_);
  Push(run);
  if (!run.has_match()) return;
  matches_.push_back(&run);
  std::push_heap(matches_.begin(), matches_.end(), HasLaterMatch);
}

// False when there is none.
bool MergingCursor::RefreshMatches() {
  while (!matches_.empty() && matches_.front()->has_passed_match()) {
    std::pop_heap(matches_.begin(), matches_.end(), HasLaterMatch);
    matches_.back()->FindMatch();
    if (matches_.back()->has_match()) {
      std::push_heap(matches_.begin(), matches_.end(), HasLaterMatch);
    } else {
      matches_.pop_back();
    }
  }
  return !matches_.empty();
}

// No run has anything of interest before the key.  False when the work is spent
// before.
bool MergingCursor::SeekAll(std::string_view key, WorkBudget& work) {
  while (rows_.front()->key() < key) {
    RunMatches& run = PopRow();
    run.Seek(key);
    Push(run);
    work.Spend(1);
    if (work.is_spent()) return rows_.front()->key() == key;
  }
  return true;
}

// Of the runs that stand at the least key, the newest decides: it takes its
// match, or hides those of the others.
void MergingCursor::Take(WorkBudget& work) {
  RunMatches& newest = PopRow();
  while (!rows_.empty() && rows_.front()->key() == newest.key()) {
    RunMatches& older = PopRow();
    older.NextRow();
    Push(older);
    work.Spend(1);
  }
  work.Spend(1);
  if (!newest.is_at_match()) {
    newest.NextRow();
    return Push(newest);
  }
  // It is the first of the matches, too.
  std::pop_heap(matches_.begin(), matches_.end(), HasLaterMatch);
  matches_.pop_back();
  owner_ = &newest;
  owned_end_ =
      rows_.empty() ? newest.rows_end() : newest.RowsUpTo(rows_.front()->key());
}

std::size_t MergingCursor::Skip(const std::string* end) {
  const std::size_t rows = end == nullptr
                               ? owned_end_
                               : std::min(owned_end_, owner_->RowsUpTo(*end));
  return owner_->SkipMatches(rows);
}

}  // namespace entitable
