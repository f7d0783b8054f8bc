// entries.h - rows enter and leave groups, and marks end.

#ifndef ENTITABLE_SYNC_ENTRIES_H_
#define ENTITABLE_SYNC_ENTRIES_H_

#include <optional>

#include "sync/sync_rows.h"

namespace entitable::sync {

// The group has the row, with this value, or has it no more.
void JoinGroup(Group& group, EntityKeyView key, const RowValue& value);
void LeaveGroup(Group& group, EntityKeyView key, const RowValue& value);

// The first group of the row has nothing to write any more.  Does not touch the
// group.
void DropFirstEntry(SyncedRow& row);

// The row leaves its groups.  If `keeps_last` is set, the last one keeps it,
// with the local value.
Result<void> Collapse(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                      bool keeps_last);

// Drops marks that only remembered what does not count any more: the host does
// this now and then.  Takes a part of the rows that have marks, behind `after`.
// Returns the last of them; nothing if there is no other.
Result<std::optional<EntityKey>> ExpireMarks(
    SyncRows& rows, const std::optional<EntityKey>& after, DateTime now);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_ENTRIES_H_
