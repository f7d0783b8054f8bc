// settle.h - compares a refused request with what the remote has, and resolves
// conflicts.

#ifndef ENTITABLE_SYNC_SETTLE_H_
#define ENTITABLE_SYNC_SETTLE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/poll.h"
#include "sync/push.h"
#include "sync/resolver.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// The rows of a request as the remote has them now, absent ones included, by
// RowKey.
struct RowsRead {
  std::uint64_t sequence = 0;  // Of the store when the read was requested.
  DateTime asked_at = {};      // The same moment, by the replica's clock.
  std::map<std::string, RemoteRow> rows = {};

  // Those that cannot be stored here.
  std::vector<RefusedRow> refused = {};
};

struct Settled {
  enum class State : std::uint8_t {
    kDone,
    kReadAgain,   // A base has changed since the read was requested.
    kUnresolved,  // The app must decide; nothing has changed.
  };

  State state = State::kDone;
  std::vector<Conflict> unresolved = {};

  // Rows that cannot be stored here, or whose resolution breaks the schema.
  // Their groups have not changed, and are tried again later.
  std::vector<RefusedRow> refused = {};
};

// Settles what becomes of a request that did not take effect: each row that the
// remote has like the local or the sent one is ours, the rest is in conflict,
// which the resolver decides.  What remains is sent again.  Does nothing if the
// outcome of the request is already known.
Poll<Settled> Settle(SyncRows& rows, const PushRequest& request,
                     const RowsRead& read, Resolver& resolver, DateTime now);

// Postpones that, because the resolver has failed: the rows stay dirty, and
// their groups are sent again later.
Poll<void> Postpone(SyncRows& rows, const PushRequest& request, DateTime now);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_SETTLE_H_
