// flush.h - moves the first records of the tail of the log into pages.

#ifndef ENTITABLE_STORE_FLUSH_H_
#define ENTITABLE_STORE_FLUSH_H_

#include <cstdint>
#include <optional>

#include "entitable/engine.h"
#include "entitable/page.h"
#include "store/account_state.h"

namespace entitable {

// One step of keeping the store in shape: what is to be stored, and what base
// and root are then.  It is fenced by what they were, so that it is refused
// when anybody else was faster.
struct BackgroundStep {
  Batch batch;
  std::optional<Bytes> checkpoint;  // Only of a fold.
  Bytes manifest;
  std::uint64_t version = 0;  // Of the root.
};

// Whether the tail is worth a fold when there is nothing else to do; long
// enough for one as soon as no write comes; so long that it is no time to
// wait for a better one; so long that commits must wait.
bool IsFlushWorthwhile(const AccountState& state, const StoreLimits& limits);
bool IsFlushDue(const AccountState& state, const StoreLimits& limits);
bool IsFlushUrgent(const AccountState& state, const StoreLimits& limits);
bool MustStallWrites(const AccountState& state, const StoreLimits& limits);

// Writes the changes of as many records as make about ten pages, and of one at
// least, as a new run, and deletes the records that had been folded before:
// those of this fold stay until the next, so that slow tabs can catch up from
// the log.  The tail must not be empty.
BackgroundStep Flush(const AccountState& state, const StoreLimits& limits);

}  // namespace entitable

#endif  // ENTITABLE_STORE_FLUSH_H_
