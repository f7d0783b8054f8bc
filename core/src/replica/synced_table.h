// synced_table.h - the rows of a synced table, as the operations of sync see
// them.
//
// docs/internals/sync.md says how the state of sync is stored.

#ifndef ENTITABLE_REPLICA_SYNCED_TABLE_H_
#define ENTITABLE_REPLICA_SYNCED_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "entitable/result.h"
#include "model/schema.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "sync/local_write.h"
#include "sync/sync_rows.h"
#include "write/staging.h"

namespace entitable {

// Up to where the rows that were there before sync have become dirty.
struct Adoption {
  bool is_complete = false;
  std::optional<EntityKey> last = {};  // The last row that is done.
};

// What the hidden table has for a row.
struct SyncNote {
  std::uint64_t base_changed_at = 0;
  std::optional<sync::Mark> mark = {};
  std::string etag = {};  // Without a mark: the remote's.
};

// A row with the table's part and sync's part.
struct NotedRow {
  std::optional<Entity> entity;
  std::optional<SyncNote> note;
  sync::SyncedRow row;
};

// Each change is staged at once, and later searches find it.  The caller ends
// the staging, or undoes it.
class SyncedTable final : public sync::SyncRows {
 public:
  // `timestamp` is that of the write, and `origin` that of the rows that Put()
  // changes.  Answers to requests from before the record with the number
  // `fence` are compared with BaseChangedAt(); it does not tell earlier changes
  // apart.
  SyncedTable(Staging& staging, const Table& table, DateTime timestamp,
              std::uint64_t fence, Origin origin)
      : staging_(staging),
        table_(table),
        timestamp_(timestamp),
        fence_(fence),
        origin_(origin) {}

  // The row is going to be found: the pages of all such rows are fetched
  // together.
  void Expect(EntityKeyView key);

  // What an app writes, before it is staged: adds the marks.  The caller stages
  // the rows themselves.
  Result<void> WriteLocally(std::span<const sync::LocalChange> changes);

  Result<Adoption> FindAdoption();
  void PutAdoption(const Adoption& adoption);

  // The address of the table in the remote account; nothing: it is not known.
  Result<std::optional<std::string>> FindRemote();
  void PutRemote(std::string_view address);

  // The rows of the table behind this key, at most so many.
  Result<std::vector<EntityKey>> RowsAfter(
      const std::optional<EntityKey>& after, std::size_t limit);

  struct StoredConflict {
    std::uint64_t id;
    sync::ConflictRecord record;
  };
  // In the order in which they were stored, behind this one.
  Result<std::vector<StoredConflict>> ConflictsAfter(std::uint64_t id,
                                                     std::size_t limit);
  void RemoveConflict(std::uint64_t id);

  // Groups of all partitions, in the order of partitions; `after` is the
  // place of the last one.
  struct PlacedGroup {
    std::string place;
    sync::Group group;
  };
  Result<std::vector<PlacedGroup>> AllGroups(const std::string& after,
                                             std::size_t limit);

  // --- SyncRows

  Result<sync::SyncedRow> Find(EntityKeyView key) override;
  Result<void> Put(EntityKeyView key, const sync::SyncedRow& row) override;
  Result<std::uint64_t> BaseChangedAt(EntityKeyView key) override;
  Result<std::vector<EntityKey>> KnownKeys(
      const sync::Scope& scope, const std::optional<EntityKey>& after,
      const std::optional<EntityKey>& last) override;
  Result<std::vector<EntityKey>> MarkedKeys(
      const std::optional<EntityKey>& after, std::size_t limit) override;
  Result<std::vector<std::string>> PartitionsWithGroups() override;
  Result<std::vector<sync::Group>> GroupsOf(std::string_view partition_key,
                                            sync::GroupId after,
                                            std::size_t limit) override;
  Result<std::vector<sync::Group>> SentGroups(
      std::string_view partition_key) override;
  Result<std::optional<sync::Group>> FindGroup(std::string_view partition_key,
                                               sync::GroupId id) override;
  void PutGroup(const sync::Group& group) override;
  void RemoveGroup(std::string_view partition_key, sync::GroupId id) override;
  Result<void> Check(EntityKeyView key, const sync::RowValue& value) override;
  std::uint64_t SchemaMark() override;
  std::uint64_t TakeNumber() override { return staging_.TakeNumber(); }
  Result<sync::PullState> FindPull(const sync::Scope& scope) override;
  void PutPull(const sync::Scope& scope, const sync::PullState& state) override;
  Result<bool> HasPulled() override;
  void AddConflict(const sync::ConflictRecord& conflict) override;

 private:
  Result<void> CheckFound() const;
  Result<std::vector<FoundRow>> FindRange(const SortRange& range,
                                          std::size_t limit,
                                          StoredRows::Part part) const;
  // `key_of` reads the key of a row.
  Result<std::vector<EntityKey>> KeysIn(
      const SortRange& range, std::size_t limit,
      Result<EntityKey> (*key_of)(const FoundRow&)) const;
  Result<const NotedRow*> FindWhole(EntityKeyView key);
  Result<NotedRow> ReadWhole(EntityKeyView key);
  Result<bool> IsAdopted(EntityKeyView key);
  Result<void> PutNote(EntityKeyView key, const NotedRow& before,
                       const sync::SyncedRow& row,
                       std::optional<DateTime> timestamp);
  DateTime TimestampFor(const sync::SyncedRow& row,
                        const std::optional<Entity>& before) const;

  Result<std::optional<std::string>> FindValue(EntityKeyView key);
  void PutValue(EntityKeyView key, std::string_view bytes);
  void RemoveValue(EntityKeyView key);
  Result<std::vector<sync::Group>> GroupsIn(char kind,
                                            std::string_view partition_key,
                                            sync::GroupId after,
                                            std::size_t limit);
  Result<void> KeepEtags(std::span<const sync::LocalChange> changes);
  void NoteRecentChanges();
  std::uint64_t ChangedAt(const std::string& sort_key);

  Staging& staging_;
  const Table& table_;
  DateTime timestamp_;
  std::uint64_t fence_;
  Origin origin_;
  bool writes_locally_ = false;
  std::map<EntityKey, NotedRow> found_;  // Rows that were not changed since.
  std::size_t changed_rows_ = 0;         // By the app's write so far.
  std::optional<Adoption> adoption_;
  std::optional<Schemas> schemas_;  // Nothing: not read yet.

  // Rows of the table that records behind the fence have changed, by sort key.
  // Nothing: not known yet.
  std::optional<std::map<std::string, std::uint64_t, std::less<>>> recent_;
  bool has_forgotten_ = false;  // There may be others.
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNCED_TABLE_H_
