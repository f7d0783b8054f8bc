// flush.h - new runs: of the memtable, and of a bulk load.
//
// A flush writes the rows of the oldest unflushed log records as a new sorted
// run, in front of all others.  It stores the run together with a new
// checkpoint and a new manifest in one batch.

#ifndef ENTITABLE_STORE_FLUSH_H_
#define ENTITABLE_STORE_FLUSH_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/limits.h"
#include "entitable/storage.h"
#include "model/entity.h"
#include "store/account_state.h"
#include "store/run_writer.h"

namespace entitable {

// One step of background work, a flush or a compaction: the batch to store, and
// the checkpoint and manifest that hold afterwards.  The batch expects the old
// values, so it fails if another engine was faster.
struct BackgroundStep {
  Batch batch;
  std::optional<Bytes> checkpoint;  // Only in a flush.
  Bytes manifest;
  std::uint64_t manifest_version = 0;
};

// The four levels of urgency, as the unflushed records grow:
// - worthwhile: they would fill a page.  Flush after a long idle time.
// - due: they reach a limit (StoreLimits).  Flush as soon as the store is idle.
// - urgent: twice the limit.  Flush now, between two writes.
// - stalled: four times the limit.  Commits wait for the flush.
bool IsFlushWorthwhile(const AccountState& state, const StoreLimits& limits);
bool IsFlushDue(const AccountState& state, const StoreLimits& limits);
bool IsFlushUrgent(const AccountState& state, const StoreLimits& limits);
bool MustStallWrites(const AccountState& state, const StoreLimits& limits);

// The memory that Flush() takes, at the most.
std::size_t FlushMemory(const AccountState& state, const StoreLimits& limits);

// Flushes as many records as fill about six pages, and at least one.  Deletes
// the records of the flush before; those of this flush stay until the next one,
// so that slow tabs can still catch up from the log.  There must be unflushed
// records.
BackgroundStep Flush(const AccountState& state, const StoreLimits& limits);

// ------------------------------------------------------------------- bulk load

// Writes the rows of a bulk load as a new sorted run.

// The run becomes the newest one.  Its pages and the manifest must be stored
// together with the next log record, which tells of the load.
class BulkLoad {
 public:
  struct Output {
    std::vector<Put> pages;
    Bytes manifest;
    PageId first_directory;
    std::string last_key;
  };

  // Both must outlive it.
  BulkLoad(const AccountState& state, const StoreLimits& limits);

  // Keys must ascend.  The memtable must not have the row, because it hides
  // rows in pages.
  void Add(std::string_view sort_key, const EntityView& entity) {
    writer_.Add(sort_key, entity);
  }

  // After the last of at least one row.
  Output Finish(DateTime timestamp);

 private:
  const AccountState& state_;
  Manifest manifest_;
  Batch batch_;
  RunWriter writer_;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_FLUSH_H_
