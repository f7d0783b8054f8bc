#include "store/scan.h"

#include <algorithm>

#include "store/lookup.h"

namespace entitable {
namespace {

// The most pages that a storage reads well in one request.
constexpr std::size_t kMaxAhead = 16;

// The most ranges whose pages are asked for together.
constexpr std::size_t kMaxTogether = 64;

// The pages of an interval take no more bytes than this, unless all of them
// begin at or before it.
constexpr std::uint64_t kMaxIntervalBytes = std::uint64_t{4} << 20;

}  // namespace

bool Scan::Covers(std::string_view sort_key) const {
  const auto next =
      std::upper_bound(ranges_.begin(), ranges_.end(), sort_key,
                       [](std::string_view key, const SortRange& range) {
                         return key < range.begin;
                       });
  return next != ranges_.begin() && sort_key < std::prev(next)->end;
}

Scan::Step Scan::Next(const AccountState& state, PageWindow& window,
                      WorkBudget& work) {
  StopIfChanged(state);
  while (true) {
    const Step step = OpenInterval(state, window, work);
    if (step != Step::kRow) return step;
    const Source source = FindNext(work);
    if (source == Source::kPaused) return Step::kPaused;
    if (source == Source::kNone) {
      CloseInterval(window);
      if (work.is_spent()) return Step::kPaused;
      continue;
    }
    if (source == Source::kMemory) {
      key_ = mem_->first;
      place_ = {.in_memory = &*mem_->second.entity};
      ++mem_;
    } else {
      key_ = matches_.run().match_key();
      place_ = matches_.run().match();
      matches_.Next();
    }
    paused_at_.clear();
    work.Spend(1);
    return Step::kRow;
  }
}

Scan::Step Scan::NextRows(const AccountState& state, PageWindow& window,
                          WorkBudget& work, std::uint64_t most,
                          PageTaker* taker) {
  StopIfChanged(state);
  taker_ = taker;
  while (true) {
    const Step step = OpenInterval(state, window, work);
    if (step != Step::kRow) return step;
    switch (FindNext(work)) {
      case Source::kPaused:
        return Step::kPaused;
      case Source::kMemory:
        key_ = mem_->first;
        place_ = {.in_memory = &*mem_->second.entity};
        ++mem_;
        paused_at_.clear();
        return Step::kRow;
      case Source::kRun:
        MoveToRows(most);
        return Step::kRow;
      case Source::kNone:
        CloseInterval(window);
        if (work.is_spent()) return Step::kPaused;
    }
  }
}

// The position is behind the last one, even if the page is no longer there.
void Scan::MoveToRows(std::uint64_t most) {
  place_ = {};
  rows_ = matches_.Take(NextMemKey(), most);
  rows_.leaf->KeyOf(rows_.end - 1, key_);
  row_key_.Forget();
  paused_at_.clear();
}

// Only Next() knows the key of its match, which the position depends on.  So
// it moves to the match itself.
Scan::Step Scan::GoTo(std::uint64_t number, const AccountState& state,
                      PageWindow& window, WorkBudget& work) {
  const Step counted = CountUpTo(number - 1, state, window, work);
  if (counted != Step::kRow) return counted;
  const Step step = Next(state, window, work);
  if (step == Step::kRow) ++count_;
  return step;
}

// kRow: so many are counted.  The position is then known only to the next call.
Scan::Step Scan::CountUpTo(std::uint64_t count, const AccountState& state,
                           PageWindow& window, WorkBudget& work) {
  StopIfChanged(state);
  most_ = count;
  while (count_ < most_) {
    const Step step = OpenInterval(state, window, work);
    if (step != Step::kRow) return step;
    const Source source = FindNext(work);
    if (source == Source::kPaused) return Step::kPaused;
    if (source == Source::kMemory) {
      ++count_;
      ++mem_;
    } else if (source == Source::kRun) {
      count_ += matches_.Skip(NextMemKey(), most_ - count_);
    } else {
      CloseInterval(window);
      if (work.is_spent()) return Step::kPaused;
    }
  }
  return Step::kRow;
}

// If the state has changed, ends the interval.  The scan continues from its
// position in the new state.
void Scan::StopIfChanged(const AccountState& state) {
  if (version_ == state.version()) return;
  const std::string place = Position();
  while (at_range_ < ranges_.size() && range().end <= place) ++at_range_;
  if (place.empty()) at_range_ = ranges_.size();
  if (at_range_ < ranges_.size()) range().begin = place;
  paused_at_.clear();
  key_.clear();
  is_open_ = is_placed_ = false;
}

std::string Scan::Position() const {
  for (std::size_t i = at_range_; i < ranges_.size(); ++i) {
    const auto& [begin, end] = ranges_[i];
    const bool is_here = i == at_range_ && is_open_;
    std::string place = !is_here              ? begin
                        : !paused_at_.empty() ? paused_at_
                        : key_.empty()        ? begin
                                              : key_ + '\0';
    if (place < end) return place;
  }
  return {};
}

// Returns kRow if an interval is open.
Scan::Step Scan::OpenInterval(const AccountState& state, PageWindow& window,
                              WorkBudget& work) {
  if (is_open_) return Step::kRow;
  while (at_range_ < ranges_.size() && range().begin >= range().end) {
    ++at_range_;
    is_placed_ = false;
  }
  if (at_range_ == ranges_.size()) return Step::kEnd;
  if (together_ > 0 && at_range_ >= gathered_end_) {
    // The ranges before it are done with their pages.
    window.ReleaseAll();
    gathered_end_ = at_range_ + std::min(together_, kMaxTogether);
    gathered_end_ = std::min(gathered_end_, ranges_.size());
  }
  if (!is_placed_) Begin(state, window, work);
  if (!ResolveAll(window)) return Wait(state, window, work);
  work.Spend(1 + runs_.size());
  interval_end_ = range().end;
  for (const RunMatches& run : runs_) {
    const std::string_view end = run.page_end();
    if (!end.empty() && end < interval_end_) interval_end_ = end;
  }
  LimitInterval();
  const bool takes = count_ < most_ || taker_ != nullptr;
  if (!takes || !AcceptUnread(work)) {
    const Step step = LoadAll(window, work);
    if (step == Step::kWaiting) return Wait(state, window, work);
    if (step != Step::kRow) return step;
  }
  if (std::exchange(is_new_, false)) window.ReleaseUnmarked();
  matches_.Begin(runs_);
  key_.clear();  // The interval has no current row yet.
  paused_at_.clear();
  is_open_ = true;
  return Step::kRow;
}

// Many runs with long pages take more memory than there may be.  So if their
// pages take too much, the interval ends where one of these pages begins.
void Scan::LimitInterval() {
  for (;;) {
    std::uint64_t bytes = 0;
    const RunMatches* last = nullptr;
    for (const RunMatches& run : runs_) {
      if (run.at_end_of_run() || run.page_begin() >= interval_end_) continue;
      bytes += run.page_bytes();
      if (run.page_begin() > range().begin &&
          (last == nullptr || last->page_begin() < run.page_begin())) {
        last = &run;
      }
    }
    if (bytes <= kMaxIntervalBytes || last == nullptr) return;
    interval_end_ = last->page_begin();
  }
}

void Scan::CloseInterval(PageWindow& window) {
  is_open_ = false;
  for (RunMatches& run : runs_) run.Close(interval_end_, window);
  range().begin = interval_end_;
}

void Scan::Begin(const AccountState& state, PageWindow& window,
                 WorkBudget& work) {
  if (together_ == 0) window.Mark();
  const Memtable::Rows& rows = state.memtable().rows();
  mem_ = rows.lower_bound(range().begin);
  mem_end_ = rows.lower_bound(range().end);
  runs_.clear();
  for (const Run& run : state.manifest().runs) {
    runs_.emplace_back(run, range().begin, tally_);
  }
  work.Spend(2 + 2 * runs_.size());
  version_ = state.version();
  is_placed_ = true;
  is_new_ = together_ == 0;
}

bool Scan::ResolveAll(PageWindow& window) {
  bool is_resolved = true;
  for (RunMatches& run : runs_) is_resolved &= run.Resolve(window);
  return is_resolved;
}

// Whether the directory page says enough of all rows of the interval: only one
// run may have some there, and not too many may be counted.
bool Scan::AcceptUnread(WorkBudget& work) {
  if (HasMemRowBefore(interval_end_)) return false;
  const RunMatches* only = nullptr;
  for (RunMatches& run : runs_) {
    if (!run.Enter(interval(), filter_, work)) continue;
    if (only != nullptr) return false;
    only = &run;
  }
  if (only == nullptr) return true;
  const PageEntry* const page = only->WholePage(interval());
  if (page == nullptr) return false;
  if (taker_ != nullptr) return taker_->Accept(*page);
  const std::uint64_t entities = page->totals.rows - page->totals.deleted;
  if (entities > most_ - count_) return false;
  count_ += entities;
  return true;
}

// Reads no page in which no row can match, unless it may hide matches of an
// older run.  If a page is missing or the work budget is spent, continues with
// the other runs, so that their pages are fetched together and held.
Scan::Step Scan::LoadAll(PageWindow& window, WorkBudget& work) {
  Step step = Step::kRow;
  bool is_paused = false;
  bool may_hide = false;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    if (!run->Enter(interval(), filter_, work)) continue;
    if (!may_hide && !run->may_match()) continue;
    // The filter works on one page at a time.
    RowFilter* const filter = is_paused ? nullptr : &filter_;
    switch (run->Load(interval(), ahead_, filter, window, work)) {
      case RunMatches::Loading::kLoaded:
        may_hide |= run->has_matches();
        break;
      case RunMatches::Loading::kPaused:
        may_hide |= run->may_match();
        is_paused = true;
        break;
      case RunMatches::Loading::kPageMissing:
        may_hide |= run->may_match();
        step = Step::kWaiting;
        break;
    }
  }
  return is_paused && step == Step::kRow ? Step::kPaused : step;
}

Scan::Source Scan::FindNext(WorkBudget& work) {
  while (true) {
    const MergingCursor::Found found = matches_.Find(work);
    if (found == MergingCursor::Found::kPaused) {
      paused_at_ = matches_.place().empty() ? interval_end_ : matches_.place();
      if (HasMemRowBefore(paused_at_)) paused_at_ = mem_->first;
      return Source::kPaused;
    }
    const bool is_end = found == MergingCursor::Found::kEnd;
    // Without rows in memory, no key need be decoded.
    if (mem_ == mem_end_) return is_end ? Source::kNone : Source::kRun;
    const Source source =
        FindMemRow(is_end ? nullptr : &matches_.run().match_key(), work);
    if (source != Source::kNone) return source;
    if (is_end) return Source::kNone;
    if (mem_ == mem_end_ || mem_->first != matches_.run().match_key()) {
      return Source::kRun;
    }
    matches_.Next();  // The memtable has a newer state.
  }
}

// Finds a match in the memtable before the key of the next match of the runs.
Scan::Source Scan::FindMemRow(const std::string* end, WorkBudget& work) {
  if (end == nullptr) end = &interval_end_;
  for (; HasMemRowBefore(*end); ++mem_) {
    if (!mem_->second.entity) {
      work.Spend(1);
    } else {
      ++tally_.entities_examined;
      const KeyedEntity row(mem_->first, *mem_->second.entity);
      if (filter_.MatchRow(row, work)) return Source::kMemory;
    }
    if (work.is_spent()) {
      ++mem_;
      paused_at_ = HasMemRowBefore(*end) ? mem_->first : *end;
      return Source::kPaused;
    }
  }
  return Source::kNone;
}

Scan::Step Scan::Wait(const AccountState& state, PageWindow& window,
                      WorkBudget& work) {
  ahead_ = std::min(2 * ahead_, kMaxAhead);
  if (together_ > 0) Gather(state, window, work);
  return Step::kWaiting;
}

// Asks for the pages of the next ranges, too.  A directory page comes before
// the leaf pages below it, so there are two fetches, however many ranges there
// are.
void Scan::Gather(const AccountState& state, PageWindow& window,
                  WorkBudget& work) const {
  for (std::size_t at = at_range_ + 1; at < gathered_end_ && window.has_room();
       ++at) {
    EntityPlace place;
    FindInPages(state.manifest(), ranges_[at].begin, window, place);
    work.Spend(kUnitsPerKeySearch);
  }
}

}  // namespace entitable
