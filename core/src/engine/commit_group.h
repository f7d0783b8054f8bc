// commit_group.h - the writes that are being made together.

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
  LoadStep* load = nullptr;  // A step of an import, instead of writes.

  // One a write, or one of the load, once evaluated.
  std::vector<Result<Response>> outcomes;
  std::uint64_t commit = 0;  // Its number among our commits.
  LogRecord record;
  Bytes value;                     // The record as it was sent.
  std::uint64_t sent_version = 0;  // Of the state, then.

  // Nothing new was in the log since the writes were submitted.
  bool is_head_checked = false;

  // There was no room for what adds something: it takes no more writes.
  bool is_for_deletions = false;

  // Nobody said what became of it: it may be stored, or be so yet.
  bool is_in_doubt = false;
  int attempts = 0;  // Of unknown outcome.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_COMMIT_GROUP_H_
