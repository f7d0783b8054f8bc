// An interval with three runs; * marks a match, the newest run is on top:
//
//   run 0    b        e*
//   run 1    b*  c    e*   g*
//   run 2    a*  b*        g*   h*
//
// The matches are a of run 2, e of run 0, g of run 1 and h of run 2.  The b of
// run 0 matches nothing, but it is the newest b, so it hides the matches of the
// others.  Find() repeats three steps:
//
//  1. The least match is at the top of matches_.  A match that its run has
//     passed is replaced by the next one of the run first.
//  2. All runs whose row is before that key move to it, each by one search.
//     Rows between need not be looked at: they are no matches.
//  3. Of the runs at this key, the newest one decides.  If its row matches, it
//     is the owner: up to the row of the next run, its matches are returned
//     without a comparison.  If not, nobody's row with this key is returned.
//
// Where one run has all rows of a region, as after an import, step 3 costs one
// search for the whole region.

#include "store/merging_cursor.h"

#include <algorithm>
#include <cassert>

namespace entitable {
namespace {

// The standard heap has the greatest element in front, so the comparison is
// reversed.  Newer runs have lower addresses, because the runs are in a vector
// with the newest first.
bool HasLaterRow(const RunMatches* a, const RunMatches* b) {
  const int order = a->key().compare(b->key());
  return order != 0 ? order > 0 : a > b;
}

bool HasLaterMatch(const RunMatches* a, const RunMatches* b) {
  const int order = a->match_key().compare(b->match_key());
  return order != 0 ? order > 0 : a > b;
}

}  // namespace

// A run that is older than all runs with matches can hide no match, so it is
// left out.  A newer one may hide some, whether or not it has matches.
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
  rows_.push_back(&run);
  std::push_heap(rows_.begin(), rows_.end(), HasLaterRow);
}

RunMatches& MergingCursor::PopRow() {
  std::pop_heap(rows_.begin(), rows_.end(), HasLaterRow);
  RunMatches& run = *rows_.back();
  rows_.pop_back();
  return run;
}

MergingCursor::Found MergingCursor::Find(WorkBudget& work) {
  if (owner_ != nullptr) {
    if (owner_->match_row() < owned_end_) return Found::kMatch;
    LetGo();
    if (work.is_spent() && !matches_.empty()) return Found::kPaused;
  }
  while (RefreshMatches()) {
    if (!SeekAll(*matches_.front(), work)) return Found::kPaused;
    Decide(work);
    if (owner_ != nullptr) return Found::kMatch;
    if (work.is_spent()) return Found::kPaused;
  }
  return Found::kEnd;
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

// Makes the front of matches_ valid.  Returns false if no match is left.
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

// Moves all runs to the key of the least match.  Returns false if the work
// budget is spent first.  A run that is alone needs no keys.
bool MergingCursor::SeekAll(RunMatches& match, WorkBudget& work) {
  if (rows_.size() == 1) {
    assert(rows_.front() == &match);
    match.GoToMatch();
    return true;
  }
  const std::string& key = match.match_key();
  while (rows_.front()->key() < key) {
    RunMatches& run = PopRow();
    run.Seek(key);
    Push(run);
    work.Spend(1);
    if (work.is_spent()) return rows_.front()->key() == key;
  }
  return true;
}

// Several runs may have a row with the least key.  The newest run decides: its
// row is the match, or it hides the rows of the others.
void MergingCursor::Decide(WorkBudget& work) {
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
  // The newest run also has the least match.
  std::pop_heap(matches_.begin(), matches_.end(), HasLaterMatch);
  matches_.pop_back();
  owner_ = &newest;
  owned_end_ =
      rows_.empty() ? newest.rows_end() : newest.RowsUpTo(rows_.front()->key());
}

MatchedRows MergingCursor::Take(const std::string* end, std::uint64_t most) {
  MatchedRows rows = owner_->MatchesBefore(FollowingEnd(end));
  owner_->SkipMatches(rows.end, most);
  rows.end = std::min(rows.end, owner_->match_row());
  return rows;
}

std::size_t MergingCursor::Skip(const std::string* end, std::uint64_t most) {
  return owner_->SkipMatches(FollowingEnd(end), most);
}

}  // namespace entitable
