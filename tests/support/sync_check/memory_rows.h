// memory_rows.h - a synced table in memory, with commits.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_MEMORY_ROWS_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_MEMORY_ROWS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sync/sync_rows.h"

namespace entitable::sync_check {

// A property that no schema of a table allows.
inline constexpr std::string_view kUnfit = "Unfit";

// What a store keeps: sync's part as the bytes that it stores.
struct StoredTable {
  struct Row {
    sync::RowValue local;
    std::string etag;  // Encoded; empty with a mark.
    std::string mark;  // Encoded; empty if there is none.

    bool operator==(const Row&) const = default;
  };

  std::map<EntityKey, Row> rows;
  std::map<std::pair<std::string, sync::GroupId>, std::string> groups;
  std::map<std::optional<std::string>, std::string> pulls;  // By partition.
  std::vector<std::string> conflicts;
  std::map<EntityKey, std::uint64_t> base_changes;
  std::uint64_t schema = 0;  // Its mark.  Each one forbids kUnfit.
  std::uint64_t next_number = 1;
  std::uint64_t sequence = 0;  // Of the last commit.
};

// Changes of one commit: the caller keeps a copy of the table if it may fail.
class MemoryRows final : public sync::SyncRows {
 public:
  explicit MemoryRows(StoredTable& table) : table_(table) { ++table.sequence; }

  Poll<sync::SyncedRow> Find(EntityKeyView key) override;
  Poll<void> Put(EntityKeyView key, const sync::SyncedRow& row) override;
  Poll<std::uint64_t> BaseChangedAt(EntityKeyView key) override;
  Poll<std::vector<EntityKey>> KnownKeys(
      const sync::Scope& scope, const std::optional<EntityKey>& after,
      const std::optional<EntityKey>& last) override;
  Poll<std::vector<EntityKey>> MarkedKeys(const std::optional<EntityKey>& after,
                                          std::size_t limit) override;
  Poll<std::vector<std::string>> PartitionsWithGroups() override;
  Poll<std::vector<sync::Group>> GroupsOf(std::string_view partition_key,
                                          sync::GroupId after,
                                          std::size_t limit) override;
  Poll<std::vector<sync::Group>> SentGroups(
      std::string_view partition_key) override;
  Poll<std::optional<sync::Group>> FindGroup(std::string_view partition_key,
                                             sync::GroupId id) override;
  void PutGroup(const sync::Group& group) override;
  void RemoveGroup(std::string_view partition_key, sync::GroupId id) override;
  Result<void> Check(EntityKeyView key, const sync::RowValue& value) override;
  std::uint64_t SchemaMark() override { return table_.schema; }
  std::uint64_t NewNumber() override { return table_.next_number++; }
  Poll<sync::PullState> FindPull(const sync::Scope& scope) override;
  void PutPull(const sync::Scope& scope, const sync::PullState& state) override;
  Poll<bool> HasPulled() override;
  void AddConflict(const sync::ConflictRecord& conflict) override;

  Poll<std::vector<sync::Group>> AllGroups(std::string_view partition_key) {
    return GroupsOf(partition_key, 0, SIZE_MAX);
  }

  // The rows that are dirty, in the order of their keys.
  std::vector<EntityKey> DirtyRows();

 private:
  StoredTable& table_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_MEMORY_ROWS_H_
