// local_write.h - what a write of the app adds in the same commit.

#ifndef ENTITABLE_SYNC_LOCAL_WRITE_H_
#define ENTITABLE_SYNC_LOCAL_WRITE_H_

#include <span>

#include "base/poll.h"
#include "sync/grouping.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// Takes the changes of one local transaction, all of one partition and each key
// once.  A row that becomes dirty keeps its base.  A row that is written back
// to its base becomes clean, unless something was sent for it.
Poll<void> WriteLocally(SyncRows& rows, std::span<const LocalChange> changes,
                        const GroupLimits& limits);

// Revives a rejected group: it is going to be sent again.  Later writes may
// join it, if no later group has rows of it.
Poll<void> Revive(SyncRows& rows, Group& group);

// Adopts a row that was there before its table was synced: it becomes dirty, in
// a group of its own, as if the app wrote it now.  A row that the remote is
// known to have stays as it is.
Poll<void> AdoptRow(SyncRows& rows, const EntityKey& key);

// Takes the row back to its base, with its group and all groups that share rows
// with that.  What has been sent stays dirty until its outcome is known.  Fails
// with SchemaViolation if a base breaks the schema.
Poll<void> Discard(SyncRows& rows, const EntityKey& key,
                   const GroupLimits& limits);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_LOCAL_WRITE_H_
