// account_state.h - all that the log and the pages say, as of one record.

#ifndef ENTITABLE_STORE_ACCOUNT_STATE_H_
#define ENTITABLE_STORE_ACCOUNT_STATE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/page.h"
#include "entitable/result.h"
#include "store/checkpoint.h"
#include "store/log_record.h"
#include "store/manifest.h"
#include "store/memtable.h"
#include "store/recent_changes.h"

namespace entitable {

// What is remembered of a record that is not in pages yet.
struct UnflushedRecord {
  std::uint64_t number;
  std::uint32_t crc;
  Author author;
  Bytes value;  // As stored: it may have to be stored again.
};

class AccountState {
 public:
  // Of the base, and of the root if there is one, from one snapshot.  Fails
  // with StorageDamaged when they do not belong together.
  static Result<std::unique_ptr<AccountState>> Open(
      const Bytes& checkpoint, const std::optional<Bytes>& manifest);

  // Takes the next record as it is stored.  Fails with StorageDamaged when it
  // does not follow the last one; the state is then of no further use.
  Result<void> Apply(LogRecord record, const Bytes& value);

  // How far base and root have come.
  struct Progress {
    std::uint64_t checkpoint_number;
    std::uint64_t version;
  };
  Progress progress() const { return {checkpoint_.number, manifest_.version}; }

  // Takes the base, the root, as a storage answered that was asked when they
  // had come so far: nothing new, or those of later folds and merges, or older
  // ones, if more has become known since.  What is in pages by then leaves the
  // memory.  Fails with StorageEvicted when it is not the store that was
  // opened, and with StorageDamaged when it was set back.
  Result<void> InstallCheckpoint(const std::optional<Bytes>& value,
                                 const Progress& asked_at);
  Result<void> InstallManifest(const std::optional<Bytes>& value,
                               const Progress& asked_at);

  // The same where the log was not read along: a root that goes with records
  // which are not known yet is left alone, and the state then is behind until
  // it catches up; so it is where there is none, because the log knows whether
  // that is damage.
  Result<void> InstallManifestAlone(const std::optional<Bytes>& value,
                                    const Progress& asked_at);
  bool is_behind() const { return is_behind_; }

  const Checkpoint& checkpoint() const { return checkpoint_; }
  const Bytes& checkpoint_value() const {
    return checkpoint_value_;
  }  // As stored.

  const Manifest& manifest() const { return manifest_; }
  const std::optional<Bytes>& manifest_value() const { return manifest_value_; }

  std::uint64_t head() const { return head_; }          // The last record.
  std::uint32_t head_crc() const { return head_crc_; }  // Its checksum.
  DateTime last_timestamp() const { return last_timestamp_; }
  TableId next_table() const { return next_table_; }

  // The rows that the records after the root's say something of.
  const Memtable& memtable() const { return memtable_; }
  const std::vector<UnflushedRecord>& unflushed() const { return unflushed_; }
  std::size_t unflushed_bytes() const { return unflushed_bytes_; }

  // Whether the root is as late as the last of those records that has rows in
  // pages.
  bool has_loads() const {
    return last_load_ <= std::max(manifest_.needs, manifest_.number);
  }

  // Tables dropped by those records, the number of the record with each.
  struct Dropped {
    std::uint64_t number;
    TableId table;
  };
  const std::vector<Dropped>& dropped() const { return dropped_; }

  // What the last records did, whether they are in pages by now or not.
  const RecentChanges& recent() const { return recent_; }
  RecentChanges::Touched TakeTouched() { return recent_.TakeTouched(head_); }

  // Records that came to stand before the first one of the log, for the next
  // fold to clear away: each was committed by who had missed a fold.
  void NoteOrphan(std::uint64_t number) { orphans_.push_back(number); }
  const std::vector<std::uint64_t>& orphans() const { return orphans_; }
  void ForgetOrphans() { orphans_.clear(); }

  // Another number after every change of any kind; of the root.
  std::uint64_t version() const { return version_; }
  std::uint64_t manifest_changes() const { return manifest_changes_; }

 private:
  AccountState() = default;

  bool IsOfKnownTable(const Change& change) const;
  void ApplyChange(TableCreated& change, std::uint64_t number);
  void ApplyChange(TableDropped& change, std::uint64_t number);
  void ApplyChange(EntityPut& change, std::uint64_t number);
  void ApplyChange(EntityDeleted& change, std::uint64_t number);
  void ApplyChange(RangeLoaded& change, std::uint64_t number);
  void NoteTable(TableId table, std::uint64_t number);
  void PutRow(TableId table, const EntityKey& key, MemRow row);
  Result<void> Install(const std::optional<Bytes>& value,
                       const Progress& asked_at, bool is_log_known);
  void ForgetWhatIsInPages();

  Checkpoint checkpoint_;
  Bytes checkpoint_value_;
  Manifest manifest_;
  std::optional<Bytes> manifest_value_;
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
  std::uint64_t manifest_changes_ = 0;
  bool is_behind_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_STORE_ACCOUNT_STATE_H_
