// refusal.h - rows of the remote that cannot be stored here.

#ifndef ENTITABLE_SYNC_REFUSAL_H_
#define ENTITABLE_SYNC_REFUSAL_H_

#include <string>
#include <string_view>

#include "sync/sync_rows.h"

namespace entitable::sync {

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
Result<void> NoteRefusal(SyncRows& rows, std::string_view partition_key);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_REFUSAL_H_
