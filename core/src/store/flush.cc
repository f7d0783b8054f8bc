#include "store/flush.h"

#include <utility>

#include "model/limits.h"
#include "store/run_writer.h"

namespace entitable {
namespace {

// Urgent flushes and write stalls begin at these multiples of the limits.
constexpr std::size_t kUrgentLogFactor = 2;
constexpr std::size_t kWriteStallFactor = 4;

bool IsLogLong(const AccountState& state, const StoreLimits& limits,
               std::size_t factor) {
  return state.unflushed().size() >= factor * limits.flush_records ||
         state.unflushed_bytes() >= factor * limits.flush_bytes ||
         state.unflushed_memory() >=
             factor * (limits.write_buffer_bytes / kWriteStallFactor);
}

// The last log record of this flush.
const UnflushedRecord& LastOf(const AccountState& state,
                              const StoreLimits& limits) {
  // Pages hold the same data in fewer bytes than the log.
  const std::size_t max_bytes = (limits.step_pages + 1) * limits.page_bytes;
  auto last = state.unflushed().begin();
  std::size_t bytes = last->value->size();
  for (auto at = last + 1; at != state.unflushed().end(); ++at) {
    bytes += at->value->size();
    if (bytes > max_bytes) break;
    last = at;
  }
  return *last;
}

// Rows that a later record changed again are left out: readers take their
// newest state from the log anyway.
Run WriteRun(const AccountState& state, const StoreLimits& limits,
             std::uint64_t last, PageId& next_page, Batch& batch) {
  const bool is_first = state.manifest().runs.empty();
  RunWriter writer(limits, next_page, batch);
  for (const auto& [key, row] : state.memtable().rows()) {
    if (row.number > last) continue;
    if (row.entity) {
      writer.Add(key, *row.entity);
    } else if (!is_first) {
      writer.AddTombstone(key);
    }
  }
  std::vector<PageEntry> directories = writer.Finish();
  return {.end = writer.last_key(), .directories = std::move(directories)};
}

void ForgetRecords(const AccountState& state, std::uint64_t first_kept,
                   Batch& batch) {
  for (const std::uint64_t number : state.orphans()) {
    batch.deletes.push_back(ValueKey::Record(number));
  }
  const std::uint64_t first = state.checkpoint().first_record;
  for (std::uint64_t n = first; n < first_kept; ++n) {
    batch.deletes.push_back(ValueKey::Record(n));
  }
}

// The manifest after the flush, whose pages go into the batch.
Manifest FlushedManifest(const AccountState& state, const StoreLimits& limits,
                         const UnflushedRecord& last, Batch& batch) {
  Manifest manifest = state.manifest();
  ++manifest.version;
  manifest.number = last.number;
  manifest.crc = last.crc;
  // Rows that a later record changed again, and rows of a table that a later
  // record dropped, are now in no page.  A reader that does not know those
  // records would miss the rows.
  if (last.number < state.head()) manifest.needs = state.head();
  manifest.last_timestamp = state.last_timestamp();
  manifest.next_table = state.next_table();
  Run run = WriteRun(state, limits, last.number, manifest.next_page, batch);
  if (!run.directories.empty()) {
    manifest.runs.insert(manifest.runs.begin(), std::move(run));
  }
  for (const auto& dropped : state.dropped()) {
    if (dropped.number <= last.number) {
      manifest.dropped.push_back(dropped.table);
    }
  }
  ForgetDroppedWithoutRuns(manifest);
  return manifest;
}

Checkpoint FlushedCheckpoint(const AccountState& state,
                             const UnflushedRecord& last) {
  Checkpoint checkpoint = state.checkpoint();
  checkpoint.first_record = checkpoint.number + 1;
  checkpoint.number = last.number;
  checkpoint.crc = last.crc;
  checkpoint.last_timestamp = state.last_timestamp();
  for (const UnflushedRecord& record : state.unflushed()) {
    if (record.number <= last.number) checkpoint.Remember(record.author);
  }
  return checkpoint;
}

}  // namespace

bool IsFlushWorthwhile(const AccountState& state, const StoreLimits& limits) {
  return state.unflushed_bytes() >= limits.page_bytes;
}

bool IsFlushDue(const AccountState& state, const StoreLimits& limits) {
  return IsLogLong(state, limits, 1);
}

bool IsFlushUrgent(const AccountState& state, const StoreLimits& limits) {
  return IsLogLong(state, limits, kUrgentLogFactor);
}

bool MustStallWrites(const AccountState& state, const StoreLimits& limits) {
  return IsLogLong(state, limits, kWriteStallFactor);
}

// The pages of the records, and the page that is being built.
std::size_t FlushMemory(const AccountState& state, const StoreLimits& limits) {
  constexpr std::size_t kBuilderBytes = 3 * kMaxEntityBytes;
  const UnflushedRecord& last = LastOf(state, limits);
  std::size_t bytes = kBuilderBytes;
  for (const UnflushedRecord& record : state.unflushed()) {
    bytes += record.value->size();
    if (record.number == last.number) break;
  }
  return bytes;
}

BackgroundStep Flush(const AccountState& state, const StoreLimits& limits) {
  const UnflushedRecord& last = LastOf(state, limits);
  BackgroundStep step;
  const Manifest manifest = FlushedManifest(state, limits, last, step.batch);
  step.manifest = EncodeManifest(manifest);
  step.manifest_version = manifest.version;
  step.checkpoint = EncodeCheckpoint(FlushedCheckpoint(state, last));
  ForgetRecords(state, state.checkpoint().number + 1, step.batch);

  step.batch.expect = {{ValueKey::Checkpoint(), state.checkpoint_value()},
                       {ValueKey::Manifest(), state.manifest_value()}};
  step.batch.puts.push_back({ValueKey::Checkpoint(), Share(*step.checkpoint)});
  step.batch.puts.push_back({ValueKey::Manifest(), Share(step.manifest)});
  return step;
}

// ------------------------------------------------------------------- bulk load

BulkLoad::BulkLoad(const AccountState& state, const StoreLimits& limits)
    : state_(state),
      manifest_(state.manifest()),
      writer_(limits, manifest_.next_page, batch_) {}

BulkLoad::Output BulkLoad::Finish(DateTime timestamp) {
  Run run{.directories = writer_.Finish()};
  run.end = writer_.last_key();
  Output output{.pages = std::move(batch_.puts),
                .manifest = {},
                .first_directory = run.directories.front().page,
                .last_key = run.end};
  manifest_.runs.insert(manifest_.runs.begin(), std::move(run));
  ++manifest_.version;
  manifest_.needs = state_.head() + 1;
  manifest_.last_timestamp = timestamp;
  output.manifest = EncodeManifest(manifest_);
  return output;
}

}  // namespace entitable
