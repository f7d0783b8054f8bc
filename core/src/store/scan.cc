#include "store/scan.h"

#include <algorithm>
#include <optional>

namespace entitable {
namespace {

// As many pages as a storage reads well in one go.
constexpr std::size_t kMaxAhead = 16;

// A row in memory, as a filter sees it: its key is parsed when it is asked for.
class MemEntity final : public PropertySource {
 public:
  MemEntity(std::string_view sort_key, const Entity& entity)
      : sort_key_(sort_key), entity_(entity) {}

  std::optional<Value> Find(std::string_view name) const override {
    if (!place_ && name.ends_with("Key")) place_ = ParseSortKey(sort_key_);
    return EntityRow(place_ ? place_->key.view() : EntityKeyView(), entity_)
        .Find(name);
  }

 private:
  std::string_view sort_key_;
  const Entity& entity_;
  mutable std::optional<TableKey> place_;
};

}  // namespace

bool Scan::Covers(std::string_view sort_key) const {
  for (const SortRange& range : ranges_) {
    if (range.begin <= sort_key && sort_key < range.end) return true;
  }
  return false;
}

Scan::Step Scan::Next(const AccountState& state, PageWindow& window) {
  if (version_ != state.version()) {
    // On from just behind the last row.
    if (is_open_ && !key_.empty()) range().begin.assign(key_).push_back('\0');
    is_open_ = is_placed_ = false;
  }
  while (!is_open_ || !Take()) {
    const Step step = OpenStretch(state, window);
    if (step != Step::kRow) return step;
    for (RunMatches& run : runs_) run.FindFirst();
    key_.clear();  // No row of it yet.
  }
  return Step::kRow;
}

Scan::Step Scan::Count(const AccountState& state, PageWindow& window) {
  if (version_ != state.version()) is_open_ = is_placed_ = false;
  is_counting_ = true;
  while (true) {
    const Step step = OpenStretch(state, window);
    if (step != Step::kRow) return step;
    for (; FindMemRow(); ++mem_, is_mem_match_ = false) ++count_;
    for (const RunMatches& run : runs_) count_ += run.CountMatches();
    CloseStretch(window);
  }
}

// kRow when there is one.
Scan::Step Scan::OpenStretch(const AccountState& state, PageWindow& window) {
  CloseStretch(window);
  while (at_range_ < ranges_.size() && range().begin >= range().end) {
    ++at_range_;
    is_placed_ = false;
  }
  if (at_range_ == ranges_.size()) return Step::kEnd;
  if (!is_placed_) Begin(state, window);
  if (!SettleAll(window)) return Wait();
  stretch_end_ = range().end;
  for (const RunMatches& run : runs_) {
    const std::string_view end = run.page_end();
    if (!end.empty() && end < stretch_end_) stretch_end_ = end;
  }
  const bool is_counted = is_counting_ && CountUnread();
  if (!is_counted && !LoadAll(window)) return Wait();
  if (std::exchange(is_new_, false)) window.ReleaseUnmarked();
  HideOlder();
  is_open_ = true;
  return Step::kRow;
}

void Scan::CloseStretch(PageWindow& window) {
  if (!std::exchange(is_open_, false)) return;
  for (RunMatches& run : runs_) run.Close(stretch_end_, window);
  range().begin = stretch_end_;
}

void Scan::Begin(const AccountState& state, PageWindow& window) {
  window.Mark();
  const Memtable::Rows& rows = state.memtable().rows();
  mem_ = rows.lower_bound(range().begin);
  mem_end_ = rows.lower_bound(range().end);
  is_mem_match_ = false;
  runs_.clear();
  for (const Run& run : state.root().runs) {
    runs_.emplace_back(run, range().begin, tally_);
  }
  version_ = state.version();
  is_placed_ = is_new_ = true;
}

bool Scan::SettleAll(PageWindow& window) {
  bool is_settled = true;
  for (RunMatches& run : runs_) is_settled &= run.Settle(window);
  return is_settled;
}

// Adds the matches up, if the directory knows how many there are: those of a
// page that stands alone.
bool Scan::CountUnread() {
  if (mem_ != mem_end_ && mem_->first < stretch_end_) return false;
  const RunMatches* only = nullptr;
  for (RunMatches& run : runs_) {
    if (!run.Enter(stretch(), filter_)) continue;
    if (only != nullptr) return false;
    only = &run;
  }
  if (only == nullptr) return true;
  const auto count = only->CountUnread(stretch());
  if (count) count_ += *count;
  return count.has_value();
}

// Pages in which no row can match are not read, unless they may hide matches of
// an older run.  Goes on where pages lack: what others need is then fetched
// along.
bool Scan::LoadAll(PageWindow& window) {
  bool is_loaded = true;
  bool may_hide = false;
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    if (!run->Enter(stretch(), filter_)) continue;
    if (!may_hide && !run->may_match()) continue;
    if (run->Load(stretch(), ahead_, filter_, window)) {
      may_hide |= run->has_matches();
    } else {
      may_hide |= run->may_match();
      is_loaded = false;
    }
  }
  return is_loaded;
}

void Scan::HideOlder() {
  for (auto older = runs_.begin(); older != runs_.end(); ++older) {
    for (auto newer = runs_.begin(); newer != older; ++newer) {
      if (older->has_matches()) older->HideRowsOf(*newer);
    }
    if (!older->has_matches()) continue;
    for (auto row = mem_; row != mem_end_ && row->first < stretch_end_; ++row) {
      older->Hide(row->first);
    }
  }
}

// Whether there is a match in memory, and then it is the next row there.
bool Scan::FindMemRow() {
  for (; mem_ != mem_end_ && mem_->first < stretch_end_; ++mem_) {
    if (!mem_->second.entity) continue;
    if (is_mem_match_) return true;
    ++tally_.entities_examined;
    is_mem_match_ =
        filter_.MatchRow(MemEntity(mem_->first, *mem_->second.entity));
    if (is_mem_match_) return true;
  }
  return false;
}

// Null when none has a match.
RunMatches* Scan::LeastRun() {
  RunMatches* least = nullptr;
  for (RunMatches& run : runs_) {
    if (run.at_end()) continue;
    if (least == nullptr || run.key() < least->key()) least = &run;
  }
  return least;
}

// The next match of the stretch; false when there is none.
bool Scan::Take() {
  RunMatches* run = LeastRun();
  if (FindMemRow() && (run == nullptr || mem_->first < run->key())) {
    key_ = mem_->first;
    place_ = {.in_memory = &*mem_->second.entity};
    ++mem_;
    is_mem_match_ = false;
    return true;
  }
  if (run == nullptr) return false;
  key_ = run->key();
  place_ = run->place();
  run->Next();
  return true;
}

Scan::Step Scan::Wait() {
  ahead_ = std::min(2 * ahead_, kMaxAhead);
  return Step::kWaiting;
}

}  // namespace entitable
