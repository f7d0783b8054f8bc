#include "sync/relation.h"

#include "sync/grouping.h"
#include "sync/push.h"

namespace entitable::sync {
namespace {

bool IsAboutTable(std::string_view code) {
  return code == "TableNotFound" || code == "TableBeingDeleted";
}

}  // namespace

// A deletion waits for an insert in doubt, which would bring the row back.  A
// row that equals its base waits for any attempt in doubt, which would change
// it.
RequestKind RequestFor(const RowFacts& facts) {
  if (facts.is_equal) {
    return facts.may_change ? RequestKind::kWait : RequestKind::kNothing;
  }
  if (facts.is_there) {
    return facts.is_base_there ? RequestKind::kReplace : RequestKind::kInsert;
  }
  return facts.may_be_inserted ? RequestKind::kWait : RequestKind::kDelete;
}

// Source: operations of the spec, 2.5 and 2.11; auth, 5.8.  A 404, 409 or 412
// is about stored rows, so a read of them tells what to do.  A 401 or 403 may
// need nothing but other credentials.  Other refusals from 400 to 499 would
// come again for the same request.  All else may pass, or its outcome is
// unknown, and the same is sent once more.
PushVerdict VerdictOf(const PushAnswer& answer) {
  if (IsAboutTable(answer.code)) return PushVerdict::kNoTable;
  if (answer.status >= 200 && answer.status < 300) return PushVerdict::kApply;
  switch (answer.status) {
    case 401:
      return PushVerdict::kNewCredentials;
    case 403:
      return PushVerdict::kNewCredentialsOnce;
    case 404:
    case 409:
    case 412:
      return PushVerdict::kReadAndSettle;
    case 408:
    case 429:
      return PushVerdict::kRetry;
    default:
      break;
  }
  const bool is_permanent = answer.status >= 400 && answer.status < 500;
  return is_permanent ? PushVerdict::kReject : PushVerdict::kRetry;
}

// -------------------------------------------------------------------- relation

namespace {

// The remote has the value of the first group: it is written.
//
// Nothing was confirmed: an earlier attempt took effect, or somebody else has
// written the same.  After a deletion, answers to older requests may still have
// the row, so its ETag is remembered for kWideOverlap.
Poll<void> AcceptAsOurs(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                        const RemoteRow& remote, DateTime now) {
  Mark& mark = *row.mark;
  const GroupId id = mark.entries.front().group;
  ENTITABLE_TRY(auto group, rows.FindGroup(key.partition_key, id));
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  LeaveGroup(*group, key, row.first_value());
  rows.PutGroup(*group);
  if (!remote && mark.base) {
    mark.deleted_etag = mark.base->etag;
    mark.deleted_until = {now.ticks + kWideOverlap};
  }
  mark.Learn(remote);
  DropFirstEntry(row);
  row.Tidy();
  return rows.Put(key, row);
}

// The remote has the local value: no group has to write it.
Poll<void> AcceptAsLocal(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                         const RemoteRow& remote) {
  ENTITABLE_TRY(Collapse(rows, key, row, false));
  row.mark->Learn(remote);
  row.Tidy();
  return rows.Put(key, row);
}

// The last group of the row is to write this value.
Poll<void> ChangeLast(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                      const RowValue& value) {
  ENTITABLE_TRY(auto group, rows.FindGroup(key.partition_key,
                                           row.mark->entries.back().group));
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  LeaveGroup(*group, key, row.local);
  JoinGroup(*group, key, value);
  rows.PutGroup(*group);
  return {};
}

}  // namespace

Relation Relate(const SyncedRow& row, const RemoteRow& remote,
                DateTime asked_at) {
  const Mark& mark = *row.mark;
  const RowValue value = ValueOf(remote);
  const bool is_same =
      remote ? mark.base && mark.base->etag == remote->etag : !mark.base;
  // A deletion of what is not there is done.
  if (SameValue(value, row.first_value())) {
    const bool is_unproven = !remote && mark.MayBeInserted(asked_at);
    return is_unproven ? Relation::kUnproven : Relation::kOurs;
  }
  if (is_same) return Relation::kSame;
  if (!remote && mark.MayBeInserted(asked_at)) return Relation::kUnproven;
  if (remote && (mark.WasSent(value) || SameValue(value, ValueOf(mark.base)))) {
    return Relation::kRenewed;
  }
  if (SameValue(value, row.local)) return Relation::kLocal;
  return Relation::kConflict;
}

Poll<void> ApplyRelation(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                         Relation relation, const RemoteRow& remote,
                         DateTime now) {
  switch (relation) {
    case Relation::kOurs:
      return AcceptAsOurs(rows, key, row, remote, now);
    case Relation::kLocal:
      return AcceptAsLocal(rows, key, row, remote);
    case Relation::kRenewed:
      row.mark->Learn(remote);
      return rows.Put(key, row);
    default:
      return {};
  }
}

Conflict ConflictOf(const EntityKey& key, const SyncedRow& row,
                    const RemoteRow& remote, bool is_conflict) {
  return {key,
          ValueOf(row.mark->base),
          row.local,
          ValueOf(remote),
          row.mark->sent,
          is_conflict};
}

bool HasOutcome(const Conflict& conflict, const RowValue& result) {
  return conflict.is_conflict || !SameValue(result, conflict.local);
}

// The groups of the row are over: the decision was made over all that they were
// to write.  At most the last one keeps the row, with the result as the value.
Poll<void> ApplyResolution(SyncRows& rows, const Conflict& conflict,
                           SyncedRow& row, const RemoteRow& remote,
                           const RowValue& result) {
  const EntityKeyView key = conflict.key.view();
  const GroupId group = row.mark->entries.front().group;
  const RowValue base = KnownBase(
      {key, conflict.base, conflict.local, conflict.remote, conflict.sent});
  rows.AddConflict(
      {conflict.key, base, conflict.local, conflict.remote, result, group});
  // An insert in doubt may still bring back a row that is to be absent.
  const bool is_in_doubt = !remote && !row.mark->sent.empty();
  const bool is_dirty = is_in_doubt || !SameValue(result, conflict.remote);
  ENTITABLE_TRY(Collapse(rows, key, row, is_dirty));
  if (is_dirty) ENTITABLE_TRY(ChangeLast(rows, key, row, result));
  row.mark->Learn(remote);
  row.local = result;
  row.Tidy();
  return rows.Put(key, row);
}

}  // namespace entitable::sync
