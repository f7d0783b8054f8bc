// store_opener.h - opens the store of an account, or creates it.

#ifndef ENTITABLE_ENGINE_STORE_OPENER_H_
#define ENTITABLE_ENGINE_STORE_OPENER_H_

#include "commit/log_phase.h"
#include "entitable/result.h"
#include "entitable/steps.h"
#include "entitable/storage.h"
#include "host/host_link.h"
#include "store/store.h"

namespace entitable {

// Invariant: a store is created only where the storage has nothing, and opened
// only as it was read.  So it does not matter which of several engines creates
// it.
class StoreOpener {
 public:
  StoreOpener(const Random128& new_store_id, Store& store, HostLink& host)
      : new_store_id_(new_store_id), store_(store), host_(host) {}

  // Fails with StorageDamaged, and with StorageUnavailable if a store that
  // exists cannot be read again and again.
  Result<LogEvent> Open(const Snapshot& snapshot);

  // The outcome of kCreating.  Fails if there is no store.
  Result<LogEvent> CompleteCreation(CommitOutcome outcome);

  void Reset() { creations_ = 0; }

 private:
  Result<LogEvent> Create();

  const Random128& new_store_id_;
  Store& store_;
  HostLink& host_;
  int creations_ = 0;  // Attempts to create a store.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STORE_OPENER_H_
