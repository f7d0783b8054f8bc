// round.h - the writes that are being made together.

#ifndef ENTITABLE_ENGINE_ROUND_H_
#define ENTITABLE_ENGINE_ROUND_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/request.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/log_record.h"

namespace entitable {

struct PendingWrite {
  RequestId id;
  WriteRequest request;
};

struct Round {
  std::vector<PendingWrite> writes;
  std::vector<Result<Response>> outcomes;  // One a write, once evaluated.
  std::uint64_t commit = 0;                // Its number among our commits.
  LogRecord record;
  Bytes value;                     // The record as it was sent.
  std::vector<Put> pages;          // That go with it, of a load.
  Bytes root;                      // That names them; empty without.
  std::uint64_t sent_version = 0;  // Of the state, then.

  bool is_load = false;  // Its one write is a step of an import.

  // Nothing new was in the log since the writes were submitted.
  bool is_head_checked = false;

  // Nobody said what became of it: it may be stored, or be so yet.
  bool is_in_doubt = false;
  int attempts = 0;  // Of unknown outcome.
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ROUND_H_
