#include "sync/entries.h"

#include <algorithm>
#include <string>

#include "sync/grouping.h"

namespace entitable::sync {

void JoinGroup(Group& group, EntityKeyView key, const RowValue& value) {
  group.row_keys.emplace_back(key.row_key);
  group.bytes += RequestBytes(key, value);
}

void LeaveGroup(Group& group, EntityKeyView key, const RowValue& value) {
  std::erase(group.row_keys, key.row_key);
  group.bytes -= std::min(group.bytes, RequestBytes(key, value));
}

void DropFirstEntry(SyncedRow& row) {
  row.mark->entries.erase(row.mark->entries.begin());
}

Result<void> Collapse(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                      bool keeps_last) {
  auto& entries = row.mark->entries;
  const GroupId last = entries.back().group;
  for (const Entry& entry : entries) {
    if (keeps_last && entry.group == last) continue;
    ENTITABLE_TRY(auto group, rows.FindGroup(key.partition_key, entry.group));
    if (!group) return Fail(ErrorCode::kStorageDamaged);
    LeaveGroup(*group, key, entry.frozen.value_or(row.local));
    rows.PutGroup(*group);
  }
  entries.clear();
  if (keeps_last) entries.push_back({.group = last});
  return {};
}

Result<std::optional<EntityKey>> ExpireMarks(
    SyncRows& rows, const std::optional<EntityKey>& after, DateTime now) {
  constexpr std::size_t kRows = 100;
  ENTITABLE_TRY(const std::vector<EntityKey> keys,
                rows.MarkedKeys(after, kRows));
  for (const EntityKey& key : keys) {
    ENTITABLE_TRY(SyncedRow row, rows.Find(key.view()));
    if (!row.mark) continue;
    const Mark before = *row.mark;
    row.mark->Bound(now);
    const bool is_bounded = *row.mark != before;
    if (!row.is_dirty()) {
      row.mark->Expire(now);
      row.Tidy();
    }
    if (is_bounded || !row.mark) ENTITABLE_TRY(rows.Put(key.view(), row));
  }
  if (keys.empty()) return std::nullopt;
  return keys.back();
}

}  // namespace entitable::sync
