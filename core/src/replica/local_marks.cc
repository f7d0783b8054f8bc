#include "replica/local_marks.h"

#include <optional>

#include "sync/local_write.h"

namespace entitable {

// Marks come before rows, because the operations of sync compare the new values
// with those that are stored.
Poll<void> LocalMarks::Add(std::span<const sync::LocalChange> changes) {
  for (const sync::LocalChange& change : changes) Expect(change.key.view());
  ENTITABLE_TRY(sync::WriteLocally(*this, changes, {}));
  // Usually, all rows have changed.
  const bool is_all = changes.size() == 1 && changed_rows_ > 0;
  return is_all ? Poll<void>() : KeepEtags(changes);
}

Poll<void> LocalMarks::Put(EntityKeyView key, const sync::SyncedRow& row) {
  ENTITABLE_TRY(const MarkedRow before, TakeBefore(key));
  ++changed_rows_;
  return PutNote(key, before, row,
                 row.local ? std::optional(timestamp()) : std::nullopt);
}

// A row that stays clean gets a new timestamp, which is not the remote's.  For
// example, it was written with the value that it had.  From now on a note has
// the remote's ETag, or the next pull would take the row for another version.
Poll<void> LocalMarks::KeepEtags(std::span<const sync::LocalChange> changes) {
  for (const sync::LocalChange& change : changes) {
    if (!change.value) continue;
    const EntityKeyView key = change.key.view();
    ENTITABLE_TRY(const MarkedRow* marked, FindMarked(key));
    if (marked->note || !marked->row.base()) continue;
    const sync::SyncedRow row = marked->row;
    ENTITABLE_TRY(PutNote(key, *marked, row, timestamp()));
  }
  return {};
}

// The memtable knows it without a search among the recent changes; a row in a
// page counts as changed when the page was written.
std::uint64_t LocalMarks::ChangedAt(const std::string& sort_key) {
  const AccountState& state = staging().state();
  const MemRow* row = state.memtable().Find(sort_key);
  return row != nullptr ? row->number : state.manifest().number;
}

}  // namespace entitable
