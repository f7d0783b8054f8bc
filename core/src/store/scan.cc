#include "store/scan.h"

#include <algorithm>
#include <utility>

namespace entitable {
namespace {

// As many pages as a storage reads well in one go.
constexpr std::size_t kMaxAhead = 16;

}  // namespace

Scan::Step Scan::Next(const AccountState& state, PageWindow& window) {
  if (!is_placed_ || version_ != state.version()) Begin(state, window);
  do {
    if (!SettleAll(window)) {
      Wait();
      return Step::kWaiting;
    }
    if (!FindNextKey()) return Step::kEnd;
    if (!Take(window)) {
      Wait();
      return Step::kWaiting;
    }
    range_.begin.assign(key_).push_back('\0');  // Just behind it.
    if (std::exchange(is_new_, false)) window.ReleaseUnmarked();
  } while (entity_ == nullptr);
  return Step::kRow;
}

void Scan::Begin(const AccountState& state, PageWindow& window) {
  window.Mark();
  const Memtable::Rows& rows = state.memtable().rows();
  mem_ = rows.lower_bound(range_.begin);
  mem_end_ = rows.lower_bound(range_.end);
  runs_.clear();
  for (const Run& run : state.root().runs) {
    runs_.emplace_back(run, range_.begin);
  }
  version_ = state.version();
  is_placed_ = is_new_ = true;
}

bool Scan::SettleAll(PageWindow& window) {
  bool is_settled = true;
  for (RunCursor& run : runs_) is_settled &= run.Settle(window);
  return is_settled;
}

// False when there is none.
bool Scan::FindNextKey() {
  std::string_view least = range_.end;
  if (mem_ != mem_end_) least = mem_->first;
  for (const RunCursor& run : runs_) {
    if (!run.at_end()) least = std::min<std::string_view>(least, run.key());
  }
  if (least >= std::string_view(range_.end)) return false;
  key_ = least;
  return true;
}

// The newest state of the row under the key; passes over all its states.
bool Scan::Take(PageWindow& window) {
  const bool is_in_memory = mem_ != mem_end_ && mem_->first == key_;
  RunCursor* newest = nullptr;
  for (RunCursor& run : runs_) {
    if (run.at_end() || run.key() != key_) continue;
    if (!run.Load(window, ahead_, range_.end)) return false;
    if (newest == nullptr) newest = &run;
  }
  entity_ = nullptr;
  if (is_in_memory) {
    entity_ = mem_->second.entity ? &*mem_->second.entity : nullptr;
    ++mem_;
  } else if (!newest->leaf().is_deleted(newest->row())) {
    decoded_ = newest->leaf().EntityOf(newest->row());
    entity_ = &decoded_;
  }
  for (RunCursor& run : runs_) {
    if (!run.at_end() && run.key() == key_) run.Next(window);
  }
  return true;
}

void Scan::Wait() { ahead_ = std::min(2 * ahead_, kMaxAhead); }

}  // namespace entitable
