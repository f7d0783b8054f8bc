#include "sync/grouping.h"

#include <algorithm>
#include <string>

#include "wire/entity_writer.h"

namespace entitable::sync {
namespace {

bool HasRow(std::span<const std::string> row_keys, const std::string& row_key) {
  return std::ranges::find(row_keys, row_key) != row_keys.end();
}

}  // namespace

std::size_t RequestBytes(EntityKeyView key, const RowValue& value) {
  std::string body;
  if (value) AppendRequestEntity(key, *value, body);
  // A key may grow threefold in the address.
  constexpr std::size_t kOverhead = 512;
  return kOverhead + 3 * (key.partition_key.size() + key.row_key.size()) +
         body.size();
}

std::vector<std::string> UnionOf(std::span<const std::string> a,
                                 std::span<const std::string> b) {
  std::vector<std::string> all(a.begin(), a.end());
  for (const std::string& row_key : b) {
    if (!HasRow(a, row_key)) all.push_back(row_key);
  }
  return all;
}

bool FitsTogether(std::span<const Group> open,
                  std::span<const std::string> row_keys, std::size_t bytes,
                  const GroupLimits& limits) {
  std::vector<std::string> all(row_keys.begin(), row_keys.end());
  for (const Group& group : open) {
    all = UnionOf(all, group.row_keys);
    bytes += group.bytes;
  }
  return all.size() <= limits.rows && bytes <= limits.bytes;
}

std::size_t CountTogether(std::span<const Group> ready,
                          const GroupLimits& limits) {
  std::size_t rows = 0;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < ready.size(); ++i) {
    rows += ready[i].row_keys.size();
    bytes += ready[i].bytes;
    const bool is_split =
        ready[i].is_alone || rows > limits.rows || bytes > limits.bytes;
    if (i > 0 && is_split) return i;
    if (ready[i].is_alone) return 1;
  }
  return ready.size();
}

// --------------------------------------------------------------------- entries

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

Poll<void> Collapse(SyncRows& rows, EntityKeyView key, SyncedRow& row,
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

Poll<std::optional<EntityKey>> ExpireMarks(
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
