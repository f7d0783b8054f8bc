// commit_group.h - the writes that share one commit (group commit).
//
// Writes wait in a queue.  The engine takes as many as fit into one log record,
// evaluates them one after another on top of the newest state, and asks the
// host for one commit.  Writes that arrive meanwhile form the next group.  The
// outcome of the commit decides what happens next:
//
// - kOk: the state takes the record, and all writes are answered.
// - kMoved: another engine committed first.  The engine catches up with the log
//   and evaluates the group again.
// - kQuota, kRefused: the writes that were to be stored fail.  On kQuota,
//   deletions are first tried again alone.
// - kUnknown: the engine reads the log, repairs it if records are lost, and
//   looks for its own record there.

#ifndef ENTITABLE_ENGINE_COMMIT_GROUP_H_
#define ENTITABLE_ENGINE_COMMIT_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <list>
#include <vector>

#include "engine/charge.h"
#include "engine/load_step.h"
#include "engine/request.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/log_record.h"

namespace entitable {

struct PendingWrite {
  RequestId id;
  WriteRequest request;
  std::size_t text_bytes;  // Of the operation.
  Charge charge;
};

struct CommitGroup {
  std::list<PendingWrite> writes;
  // A step of an import.  Such a group has no writes.
  LoadStep* load = nullptr;

  // One outcome for each write, or one for the load, after the evaluation.
  std::vector<Result<Response>> outcomes;
  // The number of this commit among the commits of this engine.
  std::uint64_t commit = 0;
  LogRecord record;
  Bytes value;                     // The record as it was sent.
  std::uint64_t sent_version = 0;  // The version of the state at that time.

  // The engine has checked the log since the writes were submitted, and the
  // state is up to date.
  bool is_head_checked = false;

  // The storage is full: only deletions are tried, and no writes join.
  bool is_for_deletions = false;

  // The outcome is unknown: the commit may be stored, now or later.
  bool is_in_doubt = false;
  int attempts = 0;  // The number of attempts with an unknown outcome.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_COMMIT_GROUP_H_
