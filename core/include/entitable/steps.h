// steps.h - what an engine asks of its host next, and what the host answers.

#ifndef ENTITABLE_STEPS_H_
#define ENTITABLE_STEPS_H_

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "entitable/operation.h"
#include "entitable/result.h"
#include "entitable/storage.h"

namespace entitable {

using RequestId = std::uint32_t;
using ReadId = std::uint32_t;
using CommitId = std::uint32_t;

// There is nothing to do before the next Submit(), Supply() or Complete().
struct Idle {
  // If not zero, the host calls Run() again after this time: background work
  // waits until the store is idle (StoreLimits::idle_ms).
  double background_work_in_ms = 0;
};

// Reads and imports have used up the slice, and more work is left; or the next
// turn is for a step of background work.  The host calls Run() again in a later
// turn of its event loop.  In between, the host does its own work, passes on
// answers, and submits or withdraws requests.
struct Yield {};

// A request is done.  Its id is not used again before 2^32 other requests.
struct Answer {
  RequestId request;
  Result<Response> outcome;
};

// The engine needs values.  The host reads all of them in one snapshot, then
// calls Supply() or ReadFailed().
struct Read {
  ReadId id;
  std::vector<ValueKey> keys;

  // If set: also all log records with a greater number.
  std::optional<std::uint64_t> records_after;

  // If the next step after Supply() is a commit, the host may keep all other
  // writers out from this read until that commit ends.  The commit can then not
  // fail with kMoved.  A host that cannot keep others out treats both like any
  // other read and commit.
  bool is_exclusive = false;
};

// The engine wants the batch stored.  The host calls Complete() when it knows
// the outcome.
struct Commit {
  CommitId id;
  Batch batch;
  bool is_exclusive = false;  // It belongs to the read that was just supplied.
};

enum class CommitOutcome : std::uint8_t {
  kOk,       // Durable, as far as the storage promises.
  kMoved,    // An expectation did not hold; nothing was stored.
  kQuota,    // The storage is full; nothing was stored.
  kRefused,  // The storage failed for another reason; nothing was stored.
  kUnknown,  // It may be stored or not.  The engine finds out by reading.
};

using Step = std::variant<Idle, Answer, Read, Commit, Yield>;

}  // namespace entitable

#endif  // ENTITABLE_STEPS_H_
