// push.h - sends groups to the remote, and takes the answers.
//
// A request is a transaction of one partition, and at most one of a partition
// is under way:
//
//   BeginPush()     chooses groups, makes them sent, and returns the request
//     the host      sends it, at once
//   CompletePush()  hears the answer, and says what follows
//     the host      reads all rows of the request, if the verdict is to settle
//   Settle()        decides what becomes of each row (settle.h)
//
// A request is stored as sent before it leaves, because a crash in between must
// not hide that it may have taken effect.  If no answer comes, exactly the same
// operations are sent again.  That does no harm, since each of them has a
// condition: an insert fails where the row is there, and the others name the
// ETag of the base.  So if the first attempt took effect, the second one fails,
// and Settle() finds the own values at the remote.  It can be the same request
// because later writes freeze the values that are on their way (Entry), and a
// pull does not change the base of a row that was sent (ApplyRow()).
//
// An attempt is in doubt from the moment at which another one follows it, or
// its answer comes too late to count.  It may take effect until kLateEffect
// after it was stored as sent, and the rows remember its values until a read
// proves more.

#ifndef ENTITABLE_SYNC_PUSH_H_
#define ENTITABLE_SYNC_PUSH_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/poll.h"
#include "sync/grouping.h"
#include "sync/relation.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// The longest wait of a group after conflicts, in ticks of 100 ns.
inline constexpr std::int64_t kLongestBackoff = std::int64_t{300} * 10'000'000;

struct PushOperation {
  RequestKind kind = RequestKind::kNothing;
  EntityKey key;
  RowValue value = {};    // Of an insert or a replace.
  std::string etag = {};  // The If-Match of a replace or a delete.

  bool operator==(const PushOperation&) const = default;
};

// A transaction for the remote.
struct PushRequest {
  std::uint64_t number = 0;
  std::string partition_key;
  DateTime sent_at;  // Tells attempts of one request apart.
  std::vector<PushOperation> operations = {};
};

struct BegunPush {
  std::optional<PushRequest> request = {};  // Nothing: none can be sent now.

  // Without a request: there are rows that only the time can settle.  To write
  // them has to wait until an attempt of unknown outcome can take no effect any
  // more.
  bool is_settling = false;
};

// Chooses the next request of a partition and remembers it as sent.  A request
// of unknown outcome comes first, with exactly the same operations.  The host
// calls this when it has no request of the partition under way, or does not
// know, and sends the request at once.  None is sent before the first pull of
// the scope, which has the partition, is complete.
Poll<BegunPush> BeginPush(SyncRows& rows, const Scope& scope,
                          std::string_view partition_key, DateTime now,
                          const GroupLimits& limits);

// A request that was begun, as the host knows it.  Nothing: its outcome is
// known.
Poll<std::optional<PushRequest>> FindRequest(SyncRows& rows,
                                             std::string_view partition_key,
                                             std::uint64_t number,
                                             DateTime sent_at);

// The rows that the host reads before the next push (ApplyRow()): nothing is to
// be written to them, unless an attempt of unknown outcome took effect.
Poll<std::vector<EntityKey>> RowsToRead(SyncRows& rows,
                                        std::string_view partition_key,
                                        DateTime now);

struct PushOutcome {
  PushAnswer answer = {};
  std::string error = {};               // The service's, of a refusal.
  std::vector<std::string> etags = {};  // Of a success, one an operation.

  // Fresh credentials did not help against a 403.
  bool is_forbidden = false;

  // No part of the request has left, for certain.
  bool is_unsent = false;
};

// Takes the answer to a request, and returns what follows.  An answer to a
// request whose outcome is already known changes nothing and returns nothing.
// After a request that has not left, its groups are open again, unless a later
// group has their rows or an earlier attempt of them is in doubt.
Poll<std::optional<PushVerdict>> CompletePush(SyncRows& rows,
                                              const PushRequest& request,
                                              const PushOutcome& told,
                                              DateTime now);

// The groups of a request whose outcome is unknown.
Poll<std::vector<Group>> SentGroups(SyncRows& rows, const PushRequest& request);

// Until when an attempt of unknown outcome may take effect, other than the one
// that this request is.  Zero: there is none.
DateTime DoubtOf(const Group& group, const PushRequest& request);

// None of the groups took effect: an earlier attempt still may.  They may be
// sent again, in other company.
Poll<void> UnsendGroup(SyncRows& rows, const PushRequest& request, Group& group,
                       DateTime now);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_PUSH_H_
