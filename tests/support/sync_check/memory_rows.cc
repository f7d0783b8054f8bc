#include "support/sync_check/memory_rows.h"

#include <algorithm>

#include "sync/records.h"

namespace entitable::sync_check {
namespace {

EntityKey KeyOf(EntityKeyView key) {
  return {std::string(key.partition_key), std::string(key.row_key)};
}

}  // namespace

Poll<sync::SyncedRow> MemoryRows::Find(EntityKeyView key) {
  const auto found = table_.rows.find(KeyOf(key));
  if (found == table_.rows.end()) return sync::SyncedRow();
  const StoredTable::Row& stored = found->second;
  sync::SyncedRow row{.local = stored.local};
  if (!stored.mark.empty()) {
    row.mark = sync::DecodeMark(stored.mark);
    if (!row.mark) return Fail(ErrorCode::kStorageDamaged);
  } else {
    const auto etag = sync::DecodeEtag(stored.etag);
    if (!etag) return Fail(ErrorCode::kStorageDamaged);
    row.remote_etag = *etag;
  }
  return row;
}

Poll<void> MemoryRows::Put(EntityKeyView key, const sync::SyncedRow& row) {
  ENTITABLE_TRY(const sync::SyncedRow before, Find(key));
  if (before.base() != row.base()) {
    table_.base_changes[KeyOf(key)] = table_.sequence;
  }
  if (!row.local && !row.mark) {
    table_.rows.erase(KeyOf(key));
    return {};
  }
  table_.rows[KeyOf(key)] = {row.local,
                             row.mark ? "" : sync::EncodeEtag(row.remote_etag),
                             row.mark ? sync::EncodeMark(*row.mark) : ""};
  return {};
}

Poll<std::uint64_t> MemoryRows::BaseChangedAt(EntityKeyView key) {
  const auto found = table_.base_changes.find(KeyOf(key));
  return found == table_.base_changes.end() ? 0 : found->second;
}

Result<void> MemoryRows::Check(EntityKeyView /*key*/,
                               const sync::RowValue& value) {
  const bool is_unfit = table_.schema != 0 && value && value->Find(kUnfit);
  if (is_unfit) return Fail(ErrorCode::kSchemaViolation);
  return {};
}

Poll<std::vector<EntityKey>> MemoryRows::KnownKeys(
    const sync::Scope& scope, const std::optional<EntityKey>& after,
    const std::optional<EntityKey>& last) {
  std::vector<EntityKey> known;
  for (const auto& [key, stored] : table_.rows) {
    if (scope.partition_key && key.partition_key != *scope.partition_key) {
      continue;
    }
    if ((after && key <= *after) || (last && key > *last)) continue;
    ENTITABLE_TRY(const sync::SyncedRow row, Find(key.view()));
    if (row.base()) known.push_back(key);
  }
  return known;
}

Poll<std::vector<EntityKey>> MemoryRows::MarkedKeys(
    const std::optional<EntityKey>& after, std::size_t limit) {
  std::vector<EntityKey> keys;
  for (const auto& [key, stored] : table_.rows) {
    if (after && key <= *after) continue;
    if (!stored.mark.empty() && keys.size() < limit) keys.push_back(key);
  }
  return keys;
}

Poll<std::vector<std::string>> MemoryRows::PartitionsWithGroups() {
  std::vector<std::pair<sync::GroupId, std::string>> oldest;
  for (const auto& [place, bytes] : table_.groups) {
    const bool is_first = oldest.empty() || oldest.back().second != place.first;
    if (is_first) oldest.emplace_back(place.second, place.first);
  }
  std::ranges::sort(oldest);
  std::vector<std::string> partitions;
  for (auto& [id, partition_key] : oldest) {
    partitions.push_back(std::move(partition_key));
  }
  return partitions;
}

Poll<std::vector<sync::Group>> MemoryRows::GroupsOf(
    std::string_view partition_key, sync::GroupId after, std::size_t limit) {
  std::vector<sync::Group> groups;
  for (auto at = table_.groups.upper_bound({std::string(partition_key), after});
       at != table_.groups.end() && at->first.first == partition_key &&
       groups.size() < limit;
       ++at) {
    auto group = sync::DecodeGroup(at->second);
    if (!group) return Fail(ErrorCode::kStorageDamaged);
    groups.push_back(*std::move(group));
  }
  return groups;
}

Poll<std::vector<sync::Group>> MemoryRows::SentGroups(
    std::string_view partition_key) {
  ENTITABLE_TRY(std::vector<sync::Group> groups, AllGroups(partition_key));
  std::erase_if(groups, [](const sync::Group& group) {
    return group.state != sync::Group::State::kSent;
  });
  return groups;
}

Poll<std::optional<sync::Group>> MemoryRows::FindGroup(
    std::string_view partition_key, sync::GroupId id) {
  const auto found = table_.groups.find({std::string(partition_key), id});
  if (found == table_.groups.end()) return std::optional<sync::Group>();
  auto group = sync::DecodeGroup(found->second);
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  return group;
}

void MemoryRows::PutGroup(const sync::Group& group) {
  if (group.row_keys.empty()) return RemoveGroup(group.partition_key, group.id);
  table_.groups[{group.partition_key, group.id}] = sync::EncodeGroup(group);
}

void MemoryRows::RemoveGroup(std::string_view partition_key, sync::GroupId id) {
  table_.groups.erase({std::string(partition_key), id});
}

Poll<sync::PullState> MemoryRows::FindPull(const sync::Scope& scope) {
  const auto found = table_.pulls.find(scope.partition_key);
  if (found == table_.pulls.end()) return sync::PullState();
  const auto state = sync::DecodePull(found->second);
  if (!state) return Fail(ErrorCode::kStorageDamaged);
  return *state;
}

void MemoryRows::PutPull(const sync::Scope& scope,
                         const sync::PullState& state) {
  table_.pulls[scope.partition_key] = sync::EncodePull(state);
}

Poll<bool> MemoryRows::HasPulled() {
  for (const auto& [partition_key, bytes] : table_.pulls) {
    const auto state = sync::DecodePull(bytes);
    if (!state) return Fail(ErrorCode::kStorageDamaged);
    if (state->has_begun()) return true;
  }
  return false;
}

void MemoryRows::AddConflict(const sync::ConflictRecord& conflict) {
  table_.conflicts.push_back(sync::EncodeConflict(conflict));
}

std::vector<EntityKey> MemoryRows::DirtyRows() {
  std::vector<EntityKey> keys;
  for (const auto& [key, stored] : table_.rows) {
    const auto row = Find(key.view());
    if (!row || row->is_dirty()) keys.push_back(key);
  }
  return keys;
}

}  // namespace entitable::sync_check
