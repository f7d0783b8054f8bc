// pull.h - takes the pages of a scope from the remote.
//
// A pull asks for the rows whose Timestamp is not before that of the last pull,
// page by page.  Three facts make that safe although nothing is locked:
//
// - A row becomes visible up to kOverlap after its Timestamp, rarely later.  So
//   a pull goes back by that much, and a wide pull now and then by
//   kWideOverlap.
// - Pages may be answered late, twice, or by a tab that was frozen.  So each
//   position has a number, and only an answer to a request at this position
//   moves it.
// - A row may have changed here since the request.  So each answer is compared
//   with the commits since then (the fence), row by row.
//
// The position moves with the commit that stores the rows of the page, so a
// crash skips none.

#ifndef ENTITABLE_SYNC_PULL_H_
#define ENTITABLE_SYNC_PULL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/poll.h"
#include "sync/push.h"
#include "sync/resolver.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// A row that a pull or a reconcile has read.

// What became of a row that was read.
enum class RowOutcome : std::uint8_t {
  kKnown,       // The base has this version, or a newer one.
  kChanged,     // The row has changed.
  kHeldBack,    // It cannot be taken now, and must be read again.
  kUnresolved,  // The app must decide; the row has not changed.
  kRefused,     // What it would become breaks the schema; it has not changed.
};

struct ReadRow {
  EntityKey key;
  RemoteRow remote;
  std::uint64_t sequence = 0;  // Of the store when the read was requested.
  DateTime asked_at = {};      // The same moment, by the replica's clock.
};

struct AppliedRow {
  RowOutcome outcome = RowOutcome::kKnown;
  std::vector<Conflict> conflicts = {};  // If unresolved: rows of its group.

  std::string reason = {};  // Of a refusal.

  // The remote has gone back to an earlier time: it has lost writes.
  bool is_older = false;
};

// Takes a row that a pull or a reconcile has read.  A row that is refused is
// read again by NextPull() when the schema changes.
Poll<AppliedRow> ApplyRow(SyncRows& rows, const ReadRow& read,
                          Resolver& resolver, DateTime now);

// ------------------------------------------------------------------------ pull

// How far back a usual pull looks, in ticks of 100 ns.
inline constexpr std::int64_t kOverlap = std::int64_t{30} * 10'000'000;

struct PullRequest {
  std::string token;       // Empty: the first page.
  std::uint64_t step = 0;  // Of the position.

  // The least Timestamp to ask for.  Nothing: all rows.
  std::optional<DateTime> from = {};
};

// The page to ask for next.  Begins with the whole scope again if the schema
// has changed that refused rows of it.
Poll<PullRequest> NextPull(SyncRows& rows, const Scope& scope);

// A wide pull lists keys and ETags from this Timestamp on, to find rows that
// became visible late (FindChanged()).  It goes back from the last wide pull,
// so that no row escapes between two of them.  Nothing: the first pull is not
// complete, or the remote gives no time.
Poll<std::optional<DateTime>> WidePullFrom(SyncRows& rows, const Scope& scope);

// All rows that the wide pull has found are stored.  `date` is the header Date
// of its first answer.
Poll<void> CompleteWidePull(SyncRows& rows, const Scope& scope, DateTime date);

struct PulledRow {
  EntityKey key;
  Version version;
};

struct PulledPage {
  std::uint64_t sequence = 0;   // Of the store when the page was requested.
  DateTime asked_at = {};       // The same moment, by the replica's clock.
  std::uint64_t step = 0;       // Of its request.
  std::string next_token = {};  // Empty: it is the last page.
  DateTime date = {};           // The header Date; zero: there is none.
  std::vector<PulledRow> rows = {};
};

struct PullResult {
  std::size_t changed = 0;                // Rows.
  bool is_complete = false;               // It was the last page.
  std::vector<Conflict> unresolved = {};  // For the app to resolve.
  std::vector<EntityKey> older = {};      // Rows that the remote has set back.
  std::vector<RefusedRow> refused = {};   // Rows that break the schema.
};

// Takes the rows of a page and the position behind it.  After the app has
// resolved conflicts, the same page is taken again.  The position does not
// advance over rows that could not be taken.
Poll<PullResult> ApplyPage(SyncRows& rows, const Scope& scope,
                           const PulledPage& page, Resolver& resolver,
                           DateTime now);

// The remote has refused the token: the pull begins again.
Poll<void> RestartPull(SyncRows& rows, const Scope& scope);

// Whether the host may create a table that is missing: it has never been seen
// there.  Otherwise somebody has deleted it, and the app decides.
Poll<bool> MayCreateTable(SyncRows& rows);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_PULL_H_
