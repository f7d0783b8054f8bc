// account_state.h - the state of an account after a certain log record.
//
// The state combines the checkpoint, the manifest and the log records that are
// not yet flushed.  Rows of unflushed records are in the memtable; all other
// rows are in pages, which are read on demand.

#ifndef ENTITABLE_STORE_ACCOUNT_STATE_H_
#define ENTITABLE_STORE_ACCOUNT_STATE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/date_time.h"
#include "entitable/result.h"
#include "entitable/storage.h"
#include "store/checkpoint.h"
#include "store/log_record.h"
#include "store/manifest.h"
#include "store/memtable.h"
#include "store/recent_changes.h"

namespace entitable {

// A log record that is not yet flushed into pages.
struct UnflushedRecord {
  std::uint64_t number;
  std::uint32_t crc;
  Author author;
  // As stored.  If the storage loses the record, the engine stores it again.
  // Rows of the memtable are views of it.
  SharedBytes value;

  // The rows of the tables that the record created.
  std::forward_list<Entity> table_rows = {};
};
static_assert(std::is_nothrow_move_constructible_v<UnflushedRecord>);

class AccountState {
 public:
  // Opens the state from a checkpoint and a manifest of the same snapshot.  A
  // store without pages has no manifest.  Fails with StorageDamaged if the two
  // do not belong together.
  static Result<std::unique_ptr<AccountState>> Open(
      const Bytes& checkpoint, const std::optional<Bytes>& manifest);

  // Applies the next log record, given as stored, and its head.  The record
  // must be valid.  Fails with StorageDamaged if it does not continue the last
  // record; the state must then be discarded.
  Result<void> Apply(const RecordHead& head, SharedBytes value);

  // The age of the checkpoint and the manifest that the state knows.
  struct Progress {
    std::uint64_t checkpoint_number;
    std::uint64_t manifest_version;
  };
  Progress progress() const { return {checkpoint_.number, manifest_.version}; }

  // Install a checkpoint or manifest that a read returned.  `asked_at` is the
  // progress when the read began.  The value may be the known one, a newer one
  // from a later flush or compaction, or an older one if the state has moved on
  // since.  Rows and records that are now in pages leave the memory.  Fails
  // with StorageEvicted if the value belongs to another store, and with
  // StorageDamaged if it is older than it was at `asked_at`.
  Result<void> InstallCheckpoint(const std::optional<Bytes>& value,
                                 const Progress& asked_at);
  Result<void> InstallManifest(const std::optional<Bytes>& value,
                               const Progress& asked_at);

  // Installs a manifest that was read without the log.  If the manifest needs
  // log records that the state does not know, the state keeps its old manifest
  // and is_behind() until it catches up.  The same happens if the manifest is
  // missing: only the log can tell whether that is damage.
  Result<void> InstallManifestAlone(const std::optional<Bytes>& value,
                                    const Progress& asked_at);
  bool is_behind() const { return is_behind_; }

  // Decoded, and as stored.  A store without pages has no manifest.
  const Checkpoint& checkpoint() const { return checkpoint_; }
  const SharedBytes& checkpoint_value() const { return checkpoint_value_; }
  const Manifest& manifest() const { return manifest_; }
  const SharedBytes& manifest_value() const { return manifest_value_; }

  // The number and the checksum of the last record.
  std::uint64_t head() const { return head_; }
  std::uint32_t head_crc() const { return head_crc_; }
  DateTime last_timestamp() const { return last_timestamp_; }
  TableId next_table() const { return next_table_; }

  // The rows that unflushed records changed.
  const Memtable& memtable() const { return memtable_; }
  const std::vector<UnflushedRecord>& unflushed() const { return unflushed_; }
  std::size_t unflushed_bytes() const { return unflushed_bytes_; }

  // About how much memory these records and their rows take at most.  A record
  // that was built in place may have room for twice its bytes.  Its texts stay
  // until it is flushed, also those of rows that were changed again.  Each row
  // is a node of a tree, and has a key of its own.
  std::size_t unflushed_memory() const {
    constexpr std::size_t kRowBytes =
        sizeof(Memtable::Rows::value_type) + 16 * sizeof(void*);
    return 2 * unflushed_bytes_ + unflushed_.size() * sizeof(UnflushedRecord) +
           memtable_.rows().size() * kRowBytes;
  }

  // Whether the manifest is as new as the last unflushed record that came with
  // pages (a bulk load).
  bool has_loads() const {
    return last_load_ <= std::max(manifest_.needs, manifest_.number);
  }

  // A table that an unflushed record dropped, and the number of that record.
  struct Dropped {
    std::uint64_t number;
    TableId table;
  };
  const std::vector<Dropped>& dropped() const { return dropped_; }

  // What the last records changed, flushed or not.
  const RecentChanges& recent() const { return recent_; }
  const RecentChanges::Touched& TakeTouched() {
    return recent_.TakeTouched(head_);
  }

  // Orphaned records: their numbers are below the first record of the log, so
  // no engine reads them.  An engine that missed a flush stored them.  The next
  // flush deletes them.
  void NoteOrphan(std::uint64_t number) { orphans_.push_back(number); }
  const std::vector<std::uint64_t>& orphans() const { return orphans_; }
  void ForgetOrphans() { orphans_.clear(); }

  // A number that differs after every change of the state, and one that differs
  // after every change of the manifest.
  std::uint64_t version() const { return version_; }
  std::uint64_t manifest_changes() const { return manifest_changes_; }

 private:
  friend class Overlay;

  AccountState() = default;

  bool IsOfKnownTable(const ChangeInRecord& change) const;
  void ApplyChange(const TableCreated& change, UnflushedRecord& record);
  void ApplyChange(const TableDropped& change, UnflushedRecord& record);
  void ApplyChange(const PutInRecord& change, UnflushedRecord& record);
  void ApplyChange(const DeletionInRecord& change, UnflushedRecord& record);
  void ApplyChange(const RangeLoaded& change, UnflushedRecord& record);
  void NoteTable(TableId table, std::uint64_t number);
  void PutRow(TableId table, EntityKeyView key, const MemRow& row,
              Origin origin);
  Result<void> Install(const std::optional<Bytes>& value,
                       const Progress& asked_at, bool is_log_known);
  void ForgetWhatIsInPages();

  Checkpoint checkpoint_;
  SharedBytes checkpoint_value_;
  Manifest manifest_;
  SharedBytes manifest_value_;
  std::uint64_t head_ = 0;
  std::uint32_t head_crc_ = 0;
  DateTime last_timestamp_{};
  TableId next_table_ = 1;
  Memtable memtable_;
  std::vector<UnflushedRecord> unflushed_;
  std::size_t unflushed_bytes_ = 0;
  std::uint64_t last_load_ = 0;
  std::vector<Dropped> dropped_;
  RecentChanges recent_;
  std::vector<std::uint64_t> orphans_;
  std::uint64_t version_ = 0;
  // Of the last overlay.  They count down, so that none is ever equal to
  // another version.
  std::uint64_t overlay_version_ = ~std::uint64_t{0};
  std::uint64_t manifest_changes_ = 0;
  bool is_behind_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ACCOUNT_STATE_H_
