// sync_step.h - executes the steps of sync.

#ifndef ENTITABLE_REPLICA_SYNC_STEP_H_
#define ENTITABLE_REPLICA_SYNC_STEP_H_

#include "base/date_time.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "replica/sync_request.h"
#include "write/staging.h"

namespace entitable {

// Stages the changes of a step, and returns the answer that is sent once they
// are stored.  A step that fails stages nothing.
Result<Response> ExecuteSync(const SyncRequest& request, DateTime now,
                             Staging& staging);

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNC_STEP_H_
