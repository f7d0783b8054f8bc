// sync_support.h - the way to the code of sync, which only some modules have.
//
// A program that does not call WithSync() does not link sync.

#ifndef ENTITABLE_WRITE_SYNC_SUPPORT_H_
#define ENTITABLE_WRITE_SYNC_SUPPORT_H_

#include <memory>
#include <span>

#include "base/date_time.h"
#include "base/json_reader.h"
#include "base/poll.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "store/table_row.h"
#include "sync/state.h"
#include "write/staging.h"

namespace entitable {

// A step that has passed every check that needs no stored data.
class SyncTask {
 public:
  virtual ~SyncTask() = default;

  // Stages the changes of the step, and returns the answer that is sent once
  // they are stored.  A step that fails or waits stages nothing.
  virtual Poll<Response> Execute(DateTime now, Staging& staging) const = 0;
};

struct SyncSupport {
  // Fails with InvalidInput if the arguments or the texts cannot be read.
  Result<std::unique_ptr<SyncTask>> (*read)(const SyncTable& operation,
                                            JsonReader& json);

  // Stages the marks of what an app is about to write, before the rows
  // themselves are staged.
  Poll<void> (*mark)(Staging& staging, const Table& table, DateTime timestamp,
                     std::span<const sync::LocalChange> changes);
};

}  // namespace entitable

#endif  // ENTITABLE_WRITE_SYNC_SUPPORT_H_
