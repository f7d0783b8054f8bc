// log_phase.h - what the engine is doing with the log.

#ifndef ENTITABLE_COMMIT_LOG_PHASE_H_
#define ENTITABLE_COMMIT_LOG_PHASE_H_

#include <cstdint>

#include "entitable/storage.h"

namespace entitable {

enum class LogPhase : std::uint8_t {
  kClosed,      // No store is open.  The next request opens it.
  kOpening,     // Reads the checkpoint, the manifest and the log.
  kCreating,    // Commits the checkpoint of a new store.
  kReady,       // Neither reads nor writes the log.
  kFetching,    // Fetches pages that the commit group needs.
  kEvaluating,  // Evaluates a step of an import in the next slice.
  kCommitting,  // Commits the group.
  kChecking,    // Reads the newest records, to evaluate the group again.
  // Reads all unflushed records, to find out whether the group was stored and
  // whether the storage has lost records.
  kRecovering,
  kRepairingLog,  // Commits the records that the storage has lost.
  // Reads the newest records, for a fresh read (operation.h) or after a
  // background step that was moved.
  kRefreshing,
  kEvicted,  // The store is gone.  The engine only answers from memory.
};

// What the commit group needs next.  The engine does it, and then continues the
// group with the result.  With kReady, the group has ended.
struct LogStep {
  LogPhase phase = LogPhase::kReady;
  bool is_exclusive = false;  // kChecking: keeps other writers out.
  Batch batch = {};           // kCommitting, kRepairingLog.
};

}  // namespace entitable

#endif  // ENTITABLE_COMMIT_LOG_PHASE_H_
