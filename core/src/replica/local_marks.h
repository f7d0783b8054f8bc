// local_marks.h - the marks of what an app writes to a synced table.

#ifndef ENTITABLE_REPLICA_LOCAL_MARKS_H_
#define ENTITABLE_REPLICA_LOCAL_MARKS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/poll.h"
#include "replica/synced_table.h"
#include "sync/state.h"

namespace entitable {

// Puts the notes of rows without the rows themselves: whoever writes for the
// app stages those after the marks, in the same commit.
//
// A write to a synced table costs little more than a plain one: the notes of
// its rows and their open groups are looked up by key, and nothing is scanned.
// ChangedAt() needs no list of recent changes either, because a number that is
// too great does no harm in a note.
class LocalMarks final : public SyncedTable {
 public:
  LocalMarks(Staging& staging, const Table& table, DateTime timestamp)
      : SyncedTable(staging, table, timestamp, /*fence=*/0, Origin::kLocal) {}

  // The changes of one transaction, before they are staged.
  Poll<void> Add(std::span<const sync::LocalChange> changes);

  Poll<void> Put(EntityKeyView key, const sync::SyncedRow& row) override;

 private:
  std::uint64_t ChangedAt(const std::string& sort_key) override;
  Poll<void> KeepEtags(std::span<const sync::LocalChange> changes);

  std::size_t changed_rows_ = 0;
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_LOCAL_MARKS_H_
