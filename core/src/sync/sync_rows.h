// sync_rows.h - the rows of one synced table as they will be if the next commit
// succeeds.

#ifndef ENTITABLE_SYNC_SYNC_ROWS_H_
#define ENTITABLE_SYNC_SYNC_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/poll.h"
#include "entitable/result.h"
#include "sync/state.h"

namespace entitable::sync {

// The operations of sync read and change rows through this.  A store implements
// it over the state of an account and the changes of one commit: all changes of
// an operation are stored together, or none.
//
// A sequence number counts the commits of the store.
//
// Any search may have to wait for pages.  The operation is then dropped as a
// whole and run again, so it may not keep what it has learned outside of the
// rows.
class SyncRows {
 public:
  virtual ~SyncRows() = default;

  // --- Rows

  virtual Poll<SyncedRow> Find(EntityKeyView key) = 0;

  // Also notes whether the base of the row changes.
  virtual Poll<void> Put(EntityKeyView key, const SyncedRow& row) = 0;

  // The number of the last commit that changed the base of the row.
  virtual Poll<std::uint64_t> BaseChangedAt(EntityKeyView key) = 0;

  // The keys of the rows that have a base, in their order: behind `after`, up
  // to `last` inclusive.  Nothing: no bound.
  virtual Poll<std::vector<EntityKey>> KnownKeys(
      const Scope& scope, const std::optional<EntityKey>& after,
      const std::optional<EntityKey>& last) = 0;

  // The keys of the rows that have marks, in their order: behind `after`, at
  // most so many.
  virtual Poll<std::vector<EntityKey>> MarkedKeys(
      const std::optional<EntityKey>& after, std::size_t limit) = 0;

  // Whether the row may have the value, if the table has a schema that all
  // writers must keep.  Fails with SchemaViolation if it may not; with
  // StorageVersionNewer or StorageDamaged if the schema cannot be read.
  virtual Result<void> Check(EntityKeyView key, const RowValue& value) = 0;

  // Tells schemas apart: an odd number.  Zero: there is none.
  virtual std::uint64_t SchemaMark() = 0;

  // --- Groups

  // The partitions that have groups, in the order of their oldest ones.
  virtual Poll<std::vector<std::string>> PartitionsWithGroups() = 0;

  // By their ids, behind this one, at most so many.
  virtual Poll<std::vector<Group>> GroupsOf(std::string_view partition_key,
                                            GroupId after,
                                            std::size_t limit) = 0;
  // Those in the state kSent, by their ids.
  virtual Poll<std::vector<Group>> SentGroups(
      std::string_view partition_key) = 0;
  virtual Poll<std::optional<Group>> FindGroup(std::string_view partition_key,
                                               GroupId id) = 0;
  // Removes a group that has no rows.
  virtual void PutGroup(const Group& group) = 0;
  virtual void RemoveGroup(std::string_view partition_key, GroupId id) = 0;

  // A number that no group and no request has had.
  virtual std::uint64_t NewNumber() = 0;

  // --- Positions and conflicts

  virtual Poll<PullState> FindPull(const Scope& scope) = 0;
  virtual void PutPull(const Scope& scope, const PullState& state) = 0;

  // Whether a page of any scope was ever stored.
  virtual Poll<bool> HasPulled() = 0;

  // Kept until the app has confirmed it.
  virtual void AddConflict(const ConflictRecord& conflict) = 0;
};

// --------------------------------------------------------------------- refusal

// Rows of the remote that cannot be stored here.

struct RefusedRow {
  std::string reason;
  EntityKey key = {};  // Empty if it cannot be read.
};

// Why the row must not have the value: it breaks the schema of the table.
// Empty: it may.
Result<std::string> RefusalOf(SyncRows& rows, EntityKeyView key,
                              const RowValue& value);

// The schema has refused a row of the partition.  When the schema changes, the
// scope is pulled again as a whole: NextPull().
Poll<void> NoteRefusal(SyncRows& rows, std::string_view partition_key);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_SYNC_ROWS_H_
