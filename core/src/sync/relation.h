// relation.h - decisions of sync: what to request, what an answer means, and
// how a remote row relates to ours.

#ifndef ENTITABLE_SYNC_RELATION_H_
#define ENTITABLE_SYNC_RELATION_H_

#include <cstdint>
#include <string_view>

#include "base/poll.h"
#include "sync/resolver.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

// What to request of the remote, and what follows its answers.

enum class RequestKind : std::uint8_t {
  kNothing,  // The row is clean.
  kInsert,
  kReplace,
  kDelete,
  kWait,  // A request from the past may still take effect.
};

struct RowFacts {
  bool is_there = false;       // In the value to push.
  bool is_base_there = false;  // In the last remote version that is known.
  bool is_equal = false;       // Both are the same.
  // What a request from the past may still do to the row.
  bool may_be_inserted = false;
  bool may_change = false;
};

RequestKind RequestFor(const RowFacts& facts);

// The answer to a push.
struct PushAnswer {
  int status = 0;              // Zero: none came, so the outcome is unknown.
  std::string_view code = {};  // The service's.
};

enum class PushVerdict : std::uint8_t {
  kApply,               // The request took effect.
  kReadAndSettle,       // It did not; the remote has other rows.
  kReject,              // Refused for good.
  kNewCredentials,      // Ask the app, then send the same again.
  kNewCredentialsOnce,  // The same; refused again, it is refused for good.
  kNoTable,             // It is about the table, not the rows.
  kRetry,               // Later, with exactly the same rows and values.
};

PushVerdict VerdictOf(const PushAnswer& answer);

// -------------------------------------------------------------------- relation

// How a dirty row compares with what the remote has.
enum class Relation : std::uint8_t {
  kSame,      // The remote has the base.
  kRenewed,   // The same value with another ETag, or a value that was sent.
  kOurs,      // The remote has what the first group was to write.
  kLocal,     // The remote has the local value, which a later group has.
  kUnproven,  // Absent, but an insert may still arrive.
  kConflict,
};

// The remote row was requested at this time.
//
// The own value is looked for first: a request that took effect looks like a
// conflict otherwise.  Then come the versions that the replica knows, which
// mean that nobody else has written.  What is none of these is somebody else's
// write.
Relation Relate(const SyncedRow& row, const RemoteRow& remote,
                DateTime asked_at);

// Takes what the remote has.  Changes nothing of a row in conflict, or of one
// that is the same or unproven.
Poll<void> ApplyRelation(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                         Relation relation, const RemoteRow& remote,
                         DateTime now);

// A dirty row as a resolver gets it.
Conflict ConflictOf(const EntityKey& key, const SyncedRow& row,
                    const RemoteRow& remote, bool is_conflict);

// Whether the resolution is to be applied: the row is in conflict, or the app
// wants something else for it.
bool HasOutcome(const Conflict& conflict, const RowValue& result);

// Stores the conflict together with its outcome.
Poll<void> ApplyResolution(SyncRows& rows, const Conflict& conflict,
                           SyncedRow& row, const RemoteRow& remote,
                           const RowValue& result);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RELATION_H_
