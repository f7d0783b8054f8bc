#include "store/fold.h"

#include <utility>

#include "store/run_writer.h"

namespace entitable {
namespace {

// A tail of so many times the limits makes commits wait.
constexpr std::size_t kPressingFactor = 2;
constexpr std::size_t kOverdueFactor = 4;

bool IsTailLong(const AccountState& state, const StoreLimits& limits,
                std::size_t factor) {
  return state.tail().size() >= factor * limits.fold_records ||
         state.tail_bytes() >= factor * limits.fold_bytes;
}

// The last record that this fold takes.
const TailRecord& LastOf(const AccountState& state, const StoreLimits& limits) {
  // Pages hold the same in fewer bytes than the log.
  const std::size_t max_bytes = (limits.step_pages + 1) * limits.page_bytes;
  auto last = state.tail().begin();
  std::size_t bytes = last->value.size();
  for (auto at = last + 1; at != state.tail().end(); ++at) {
    bytes += at->value.size();
    if (bytes > max_bytes) break;
    last = at;
  }
  return *last;
}

// Rows that a later record made what they are stay in the log: its reader
// lays them over whatever is in pages.
Run WriteRun(const AccountState& state, const StoreLimits& limits,
             std::uint64_t last, PageId& next_page, Batch& batch) {
  const bool is_first = state.root().runs.empty();
  RunWriter writer(limits, next_page, batch);
  for (const auto& [key, row] : state.memtable().rows()) {
    if (row.number > last) continue;
    if (row.entity) {
      writer.Add(key, *row.entity);
    } else if (!is_first) {
      writer.AddDeleted(key);
    }
  }
  std::vector<PageEntry> directories = writer.Finish();
  return {.end = writer.last_key(), .directories = std::move(directories)};
}

void ForgetRecords(const AccountState& state, std::uint64_t first_kept,
                   Batch& batch) {
  for (const std::uint64_t number : state.voids()) {
    batch.deletes.push_back(ValueKey::Record(number));
  }
  const std::uint64_t first = state.base().first_record;
  for (std::uint64_t n = first; n < first_kept; ++n) {
    batch.deletes.push_back(ValueKey::Record(n));
  }
}

}  // namespace

bool IsFoldWorthwhile(const AccountState& state, const StoreLimits& limits) {
  return state.tail_bytes() >= limits.page_bytes;
}

bool IsFoldDue(const AccountState& state, const StoreLimits& limits) {
  return IsTailLong(state, limits, 1);
}

bool IsFoldPressing(const AccountState& state, const StoreLimits& limits) {
  return IsTailLong(state, limits, kPressingFactor);
}

bool IsFoldOverdue(const AccountState& state, const StoreLimits& limits) {
  return IsTailLong(state, limits, kOverdueFactor);
}

Upkeep Fold(const AccountState& state, const StoreLimits& limits) {
  const TailRecord& last = LastOf(state, limits);
  Upkeep fold;
  Root root = state.root();
  ++root.epoch;
  root.number = last.number;
  root.crc = last.crc;
  // Rows that a later record made what they are, or whose table one dropped,
  // are nowhere in pages: who does not know that record would miss them.
  if (last.number < state.head()) root.needs = state.head();
  root.last_timestamp = state.last_timestamp();
  root.next_table = state.next_table();
  Run run = WriteRun(state, limits, last.number, root.next_page, fold.batch);
  if (!run.directories.empty()) {
    root.runs.insert(root.runs.begin(), std::move(run));
  }
  for (const auto& dropped : state.dropped()) {
    if (dropped.number <= last.number) root.dropped.push_back(dropped.table);
  }
  ForgetDroppedWithoutRuns(root);
  fold.root = EncodeRoot(root);
  fold.epoch = root.epoch;

  LogBase base = state.base();
  ForgetRecords(state, base.number + 1, fold.batch);
  base.first_record = base.number + 1;
  base.number = last.number;
  base.crc = last.crc;
  base.last_timestamp = root.last_timestamp;
  for (const TailRecord& record : state.tail()) {
    if (record.number <= last.number) base.Remember(record.author);
  }
  fold.base = EncodeLogBase(base);

  fold.batch.expect = {{ValueKey::Base(), state.base_value()},
                       {ValueKey::Root(), state.root_value()}};
  fold.batch.puts.push_back({ValueKey::Base(), *fold.base});
  fold.batch.puts.push_back({ValueKey::Root(), fold.root});
  return fold;
}

}  // namespace entitable
