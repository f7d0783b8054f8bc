// synced_table.h - the rows of a synced table, each with what sync knows of it.
//
// A row of the table may have a note in the hidden table: its mark, or only the
// ETag that it has in the remote.  A row without a note is clean, and its own
// ETag is the remote's.  docs/internals/sync.md says when that is possible.
//
// A note costs a row in the hidden table, so clean rows should have none:
//
//   row                                        note
//   clean, and it was pulled                   none: the Timestamp is its ETag
//   clean, and its Timestamp had to differ     the remote's ETag
//   dirty, or clean with a memory              the mark, which has the base
//   absent here and at the remote              none
//
// For this, a row that is pulled gets the Timestamp that it has in the remote.
// It must be later than that of the version before, because a repair of the
// store takes the later Timestamp for the newer row, and earlier than the time
// of this write, because Timestamps that are given out must go on growing.
//
// A row that is not adopted yet may have no note, too, and is unknown to the
// remote.  So the adoption (sync_state.h) decides what a missing note means.

#ifndef ENTITABLE_REPLICA_SYNCED_TABLE_H_
#define ENTITABLE_REPLICA_SYNCED_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/result.h"
#include "model/schema.h"
#include "replica/sync_state.h"
#include "store/table_row.h"
#include "sync/state.h"
#include "write/staging.h"

namespace entitable {

// What the hidden table has for a row.
struct RowNote {
  std::uint64_t base_changed_at = 0;
  std::optional<sync::Mark> mark = {};
  std::string etag = {};  // Without a mark: the remote's.
};

// A row as it is stored, and as the operations of sync see it.
struct MarkedRow {
  std::optional<Entity> entity;
  std::optional<RowNote> note;
  sync::SyncedRow row;
};

// Each change is staged at once, and later searches find it.  The caller ends
// the staging, or undoes it.
class SyncedTable : public SyncState {
 public:
  // `timestamp` is that of the write, and `origin` that of the rows that Put()
  // changes.  Answers to requests from before the record with the number
  // `fence` are compared with BaseChangedAt(); it does not tell earlier changes
  // apart.
  SyncedTable(Staging& staging, const Table& table, DateTime timestamp,
              std::uint64_t fence, Origin origin)
      : SyncState(staging, table.sync, timestamp),
        table_(table),
        timestamp_(timestamp),
        fence_(fence),
        origin_(origin) {}

  // The row is going to be found: the pages of all such rows are fetched
  // together.
  void Expect(EntityKeyView key) { static_cast<void>(FindMarked(key)); }

  // The rows of the table behind this key, at most so many.
  Poll<std::vector<EntityKey>> RowsAfter(const std::optional<EntityKey>& after,
                                         std::size_t limit);

  // --- SyncRows

  Poll<sync::SyncedRow> Find(EntityKeyView key) override;
  Poll<void> Put(EntityKeyView key, const sync::SyncedRow& row) override;
  Poll<std::uint64_t> BaseChangedAt(EntityKeyView key) override;
  Poll<std::vector<EntityKey>> KnownKeys(
      const sync::Scope& scope, const std::optional<EntityKey>& after,
      const std::optional<EntityKey>& last) override;
  Poll<std::vector<EntityKey>> MarkedKeys(const std::optional<EntityKey>& after,
                                          std::size_t limit) override;
  Result<void> Check(EntityKeyView key, const sync::RowValue& value) override;
  std::uint64_t SchemaMark() override;

 protected:
  DateTime timestamp() const { return timestamp_; }

  // Valid until the row is changed.
  Poll<const MarkedRow*> FindMarked(EntityKeyView key);

  // The row before a change of it.  It is forgotten here, so FindMarked() reads
  // it again, with the change, from the staging.
  Poll<MarkedRow> TakeBefore(EntityKeyView key);

  // Stores the note that the row needs, or removes the one that it had.
  // `timestamp` is that of the row in the table; nothing: it is absent there.
  // The note says with which record the base changed last: this one, or the one
  // of before.
  Poll<void> PutNote(EntityKeyView key, const MarkedRow& before,
                     const sync::SyncedRow& row,
                     std::optional<DateTime> timestamp);

  // The number of the record that changed a row without a note last.  It may be
  // too great, so that an answer is dropped and requested again, but never too
  // small.
  virtual std::uint64_t ChangedAt(const std::string& sort_key);

 private:
  Poll<MarkedRow> ReadMarked(EntityKeyView key);
  DateTime TimestampFor(const sync::SyncedRow& row,
                        const std::optional<Entity>& before) const;
  SortRange RowsOf(const sync::Scope& scope) const;
  SortRange NotesOf(const sync::Scope& scope);
  void ReadRecentChanges();

  const Table& table_;
  DateTime timestamp_;
  std::uint64_t fence_;
  Origin origin_;
  std::map<EntityKey, MarkedRow> found_;  // Rows that were not changed since.
  std::optional<Schemas> schemas_;        // Nothing: not read yet.

  // Rows of the table that records behind the fence have changed, by sort key.
  // Nothing: not known yet.
  std::optional<std::map<std::string, std::uint64_t, std::less<>>> recent_;
  bool has_forgotten_ = false;  // There may be others.
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNCED_TABLE_H_
