// fold.h - moves the first records of the tail of the log into pages.

#ifndef ENTITABLE_STORE_FOLD_H_
#define ENTITABLE_STORE_FOLD_H_

#include <cstdint>
#include <optional>

#include "entitable/engine.h"
#include "entitable/page.h"
#include "store/account_state.h"

namespace entitable {

// One step of keeping the store in shape: what is to be stored, and what base
// and root are then.  It is fenced by what they were, so that it is refused
// when anybody else was faster.
struct Upkeep {
  Batch batch;
  std::optional<Bytes> base;  // Only of a fold.
  Bytes root;
  std::uint64_t epoch = 0;  // Of the root.
};

// Whether the tail is worth a fold when there is nothing else to do; long
// enough for one as soon as no write comes; so long that it is no time to
// wait for a better one; so long that commits must wait.
bool IsFoldWorthwhile(const AccountState& state, const StoreLimits& limits);
bool IsFoldDue(const AccountState& state, const StoreLimits& limits);
bool IsFoldPressing(const AccountState& state, const StoreLimits& limits);
bool IsFoldOverdue(const AccountState& state, const StoreLimits& limits);

// Writes the changes of as many records as make about ten pages, and of one at
// least, as a new run, and deletes the records that had been folded before:
// those of this fold stay until the next, so that slow tabs can catch up from
// the log.  The tail must not be empty.
Upkeep Fold(const AccountState& state, const StoreLimits& limits);

}  // namespace entitable

#endif  // ENTITABLE_STORE_FOLD_H_
