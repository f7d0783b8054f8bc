// relation.h - how dirty rows compare with the remote, and what follows.

#ifndef ENTITABLE_SYNC_RELATION_H_
#define ENTITABLE_SYNC_RELATION_H_

#include <cstdint>

#include "sync/resolver.h"
#include "sync/sync_rows.h"

namespace entitable::sync {

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
Relation Relate(const SyncedRow& row, const RemoteRow& remote,
                DateTime asked_at);

// Takes what the remote has.  Changes nothing of a row in conflict, or of one
// that is the same or unproven.
Result<void> ApplyRelation(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                           Relation relation, const RemoteRow& remote,
                           DateTime now);

// A dirty row as a resolver gets it.
Conflict ConflictOf(const EntityKey& key, const SyncedRow& row,
                    const RemoteRow& remote, bool is_conflict);

// Whether the resolution is to be applied: the row is in conflict, or the app
// wants something else for it.
bool HasOutcome(const Conflict& conflict, const RowValue& result);

// Stores the conflict together with its outcome.
Result<void> ApplyResolution(SyncRows& rows, const Conflict& conflict,
                             SyncedRow& row, const RemoteRow& remote,
                             const RowValue& result);

}  // namespace entitable::sync

#endif  // ENTITABLE_SYNC_RELATION_H_
