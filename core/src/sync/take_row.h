// take_row.h - a row that a pull or a reconcile has read.

#ifndef ENTITABLE_SYNC_TAKE_ROW_H_
#define ENTITABLE_SYNC_TAKE_ROW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "sync/push.h"
#include "sync/resolver.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// What became of a row that was read.
enum class Taken : std::uint8_t {
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

struct TakenRow {
  Taken taken = Taken::kKnown;
  std::vector<Conflict> conflicts = {};  // If unresolved: rows of its group.

  std::string reason = {};  // Of a refusal.

  // The remote has gone back to an earlier time: it has lost writes.
  bool is_older = false;
};

// Takes a row that a pull or a reconcile has read.  A row that is refused is
// read again by NextPull() when the schema changes.
Result<TakenRow> TakeRow(SyncRows& rows, const ReadRow& read,
                         Resolver& resolver, DateTime now);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_TAKE_ROW_H_
