#include "sync/settle.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "sync/entries.h"

namespace entitable::sync {
namespace {

// How a dirty row compares with what the remote has.
enum class Relation : std::uint8_t {
  kSame,      // The remote has the base.
  kRenewed,   // The same value with another ETag, or a value that was sent.
  kOurs,      // The remote has what the first group was to write.
  kLocal,     // The remote has the local value, which a later group has.
  kUnproven,  // Absent, but an insert may still arrive.
  kConflict,
};

Relation Relate(const SyncedRow& row, const RemoteRow& remote, DateTime now) {
  const Mark& mark = *row.mark;
  const RowValue value = ValueOf(remote);
  const bool is_same =
      remote ? mark.base && mark.base->etag == remote->etag : !mark.base;
  // A deletion of what is not there is done.
  if (SameValue(value, row.first_value())) {
    const bool is_unproven = !remote && mark.MayBeInserted(now);
    return is_unproven ? Relation::kUnproven : Relation::kOurs;
  }
  if (is_same) return Relation::kSame;
  if (!remote && mark.MayBeInserted(now)) return Relation::kUnproven;
  if (remote && (mark.WasSent(value) || SameValue(value, ValueOf(mark.base)))) {
    return Relation::kRenewed;
  }
  if (SameValue(value, row.local)) return Relation::kLocal;
  return Relation::kConflict;
}

Conflict ConflictOf(const EntityKey& key, const SyncedRow& row,
                    const RemoteRow& remote) {
  return {key, ValueOf(row.mark->base), row.local, ValueOf(remote),
          row.mark->sent};
}

// After a number of conflicts in a row: seconds that double up to five minutes.
std::int64_t Backoff(std::uint32_t conflicts) {
  const std::uint32_t doublings = std::min(conflicts, 9U) - 1;
  return std::min<std::int64_t>(std::int64_t{2} << doublings, 300) * 10'000'000;
}

Result<void> PostponeGroup(SyncRows& rows, const PushRequest& request,
                           Group& group, DateTime now) {
  ENTITABLE_TRY(UnsendGroup(rows, request, group, now));
  ++group.conflicts;
  group.not_before = {now.ticks + Backoff(group.conflicts)};
  rows.PutGroup(group);
  return {};
}

// The remote has the value of the first group: it is written.
Result<void> TakeAsOurs(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                        RemoteRow remote, DateTime now) {
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
  mark.base = std::move(remote);
  DropFirstEntry(row);
  row.Tidy();
  return rows.Put(key, row);
}

// The remote has the local value: no group has to write it.
Result<void> TakeAsLocal(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                         RemoteRow remote) {
  ENTITABLE_TRY(Collapse(rows, key, row, false));
  row.mark->base = std::move(remote);
  row.Tidy();
  return rows.Put(key, row);
}

// The last group of the row is to write this value.
Result<void> ChangeLast(SyncRows& rows, EntityKeyView key, SyncedRow& row,
                        const RowValue& value) {
  ENTITABLE_TRY(
      auto group,
      rows.FindGroup(key.partition_key, row.mark->entries.back().group));
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  LeaveGroup(*group, key, row.local);
  JoinGroup(*group, key, value);
  rows.PutGroup(*group);
  return {};
}

// Stores the conflict together with its outcome.
Result<void> ApplyResolution(SyncRows& rows, const Conflict& conflict,
                             SyncedRow& row, RemoteRow remote,
                             const RowValue& result) {
  const EntityKeyView key = conflict.key.view();
  const GroupId group = row.mark->entries.front().group;
  rows.AddConflict({conflict.key, conflict.base, conflict.local,
                    conflict.remote, result, group});
  const bool is_dirty = !SameValue(result, conflict.remote);
  ENTITABLE_TRY(Collapse(rows, key, row, is_dirty));
  if (is_dirty) ENTITABLE_TRY(ChangeLast(rows, key, row, result));
  row.mark->base = std::move(remote);
  row.local = result;
  row.Tidy();
  return rows.Put(key, row);
}

// --------------------------------------------------------- rows of a request

struct SettledRow {
  EntityKey key;
  RemoteRow remote;
  Relation relation;
};

class RequestSettler {
 public:
  RequestSettler(SyncRows& rows, const PushRequest& request,
                 const RowsRead& read, DateTime now)
      : rows_(rows), request_(request), read_(read), now_(now) {}

  // Returns whether the read is newer than all bases.
  Result<bool> Compare(std::span<const Group> groups) {
    for (const Group& group : groups) {
      for (const std::string& row_key : group.row_keys) {
        const EntityKey key{group.partition_key, row_key};
        ENTITABLE_TRY(const std::uint64_t changed_at,
                      rows_.BaseChangedAt(key.view()));
        const auto remote = read_.rows.find(row_key);
        if (changed_at > read_.sequence || remote == read_.rows.end()) {
          return false;
        }
        ENTITABLE_TRY(const SyncedRow row, rows_.Find(key.view()));
        AddRow(DoubtOf(group, request_), key, row, remote->second);
      }
      group_ends_.push_back(conflicts_.size());
    }
    return true;
  }

  // Returns the conflicts that the app must resolve.
  std::vector<Conflict> Resolve(Resolver& resolver) {
    std::vector<Conflict> unresolved;
    for (const std::size_t end : group_ends_) {
      const std::size_t begin = resolutions_.size();
      if (begin == end) continue;
      std::ranges::move(
          resolver.Resolve(std::span(conflicts_).subspan(begin, end - begin)),
          std::back_inserter(resolutions_));
      for (std::size_t i = begin; i < end; ++i) {
        if (!resolutions_[i]) unresolved.push_back(conflicts_[i]);
      }
    }
    return unresolved;
  }

  Result<void> Apply(std::span<Group> groups) {
    for (Group& group : groups) {
      ENTITABLE_TRY(PostponeGroup(rows_, request_, group, now_));
    }
    std::size_t next = 0;
    for (SettledRow& settled : settled_) {
      // By now it has what was sent.
      ENTITABLE_TRY(SyncedRow row, rows_.Find(settled.key.view()));
      if (settled.relation == Relation::kConflict) {
        ENTITABLE_TRY(ApplyResolution(rows_, conflicts_[next], row,
                                      std::move(settled.remote),
                                      *resolutions_[next]));
        ++next;
      } else {
        ENTITABLE_TRY(ApplyRelation(settled, row));
      }
    }
    return {};
  }

 private:
  // What the request has sent counts as sent, also if it cannot take effect any
  // more.
  void AddRow(DateTime doubt_until, const EntityKey& key, const SyncedRow& row,
              const RemoteRow& remote) {
    SyncedRow compared = row;
    const RowValue& value = row.first_value();
    const bool is_insert = value && !row.mark->base;
    compared.mark->sent.push_back({value, is_insert, doubt_until});
    const Relation relation = Relate(compared, remote, now_);
    if (relation == Relation::kConflict) {
      conflicts_.push_back(ConflictOf(key, compared, remote));
    }
    settled_.push_back({key, remote, relation});
  }

  Result<void> ApplyRelation(SettledRow& settled, SyncedRow& row) {
    const EntityKeyView key = settled.key.view();
    if (settled.relation == Relation::kOurs) {
      return TakeAsOurs(rows_, key, row, std::move(settled.remote), now_);
    }
    if (settled.relation == Relation::kLocal) {
      return TakeAsLocal(rows_, key, row, std::move(settled.remote));
    }
    if (settled.relation == Relation::kRenewed) {
      row.mark->base = std::move(settled.remote);
      return rows_.Put(key, row);
    }
    return {};
  }

  SyncRows& rows_;
  const PushRequest& request_;
  const RowsRead& read_;
  DateTime now_;
  std::vector<SettledRow> settled_;  // In the order of groups and their rows.
  std::vector<Conflict> conflicts_;  // In the same order.
  std::vector<std::size_t> group_ends_;  // Of each group, among the conflicts.
  std::vector<Resolution> resolutions_;
};

// ------------------------------------------------------------ rows of a pull

Result<TakenRow> TakeCleanRow(SyncRows& rows, const ReadRow& read,
                              SyncedRow& row, DateTime now) {
  const EntityKeyView key = read.key.view();
  if (row.mark) {
    if (!read.remote && row.mark->MayBeInserted(now)) {
      return TakenRow{Taken::kHeldBack};
    }
    row.mark->Expire(now);
  }
  row.SetBase(read.remote);
  row.local = ValueOf(read.remote);
  row.Tidy();
  ENTITABLE_TRY(rows.Put(key, row));
  return TakenRow{Taken::kChanged};
}

Result<TakenRow> TakeDirtyRow(SyncRows& rows, const ReadRow& read,
                              SyncedRow& row, Resolver& resolver,
                              DateTime now) {
  const EntityKeyView key = read.key.view();
  ENTITABLE_TRY(
      const auto group,
      rows.FindGroup(key.partition_key, row.mark->entries.front().group));
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  // The same must be sent again, whatever the remote has.
  if (group->state == Group::State::kSent) return TakenRow{Taken::kHeldBack};
  row.mark->Expire(now);
  switch (Relate(row, read.remote, now)) {
    case Relation::kSame:
      return TakenRow{Taken::kKnown};
    case Relation::kUnproven:
      return TakenRow{Taken::kHeldBack};
    case Relation::kOurs:
      ENTITABLE_TRY(TakeAsOurs(rows, key, row, read.remote, now));
      return TakenRow{Taken::kChanged};
    case Relation::kLocal:
      ENTITABLE_TRY(TakeAsLocal(rows, key, row, read.remote));
      return TakenRow{Taken::kChanged};
    case Relation::kRenewed:
      row.mark->base = read.remote;
      ENTITABLE_TRY(rows.Put(key, row));
      return TakenRow{Taken::kChanged};
    case Relation::kConflict:
      break;
  }
  Conflict conflict = ConflictOf(read.key, row, read.remote);
  const std::vector<Resolution> found = resolver.Resolve({&conflict, 1});
  if (!found.front()) return TakenRow{Taken::kUnresolved, std::move(conflict)};
  ENTITABLE_TRY(
      ApplyResolution(rows, conflict, row, read.remote, *found.front()));
  return TakenRow{Taken::kChanged};
}

bool IsOlder(const RemoteRow& remote, const RemoteRow& base) {
  if (!remote || !base) return false;
  const auto time = TimeOfEtag(remote->etag);
  const auto known = TimeOfEtag(base->etag);
  return time && known && *time < *known;
}

}  // namespace

Result<Settled> Settle(SyncRows& rows, const PushRequest& request,
                       const RowsRead& read, Resolver& resolver, DateTime now) {
  ENTITABLE_TRY(std::vector<Group> groups, SentGroups(rows, request));
  RequestSettler settler(rows, request, read, now);
  ENTITABLE_TRY(const bool is_new, settler.Compare(groups));
  if (!is_new) return Settled{Settled::State::kReadAgain};
  std::vector<Conflict> unresolved = settler.Resolve(resolver);
  if (!unresolved.empty()) {
    return Settled{Settled::State::kUnresolved, std::move(unresolved)};
  }
  ENTITABLE_TRY(settler.Apply(groups));
  return Settled();
}

Result<void> Postpone(SyncRows& rows, const PushRequest& request,
                      DateTime now) {
  ENTITABLE_TRY(std::vector<Group> groups, SentGroups(rows, request));
  for (Group& group : groups) {
    ENTITABLE_TRY(PostponeGroup(rows, request, group, now));
  }
  return {};
}

Result<TakenRow> TakeRow(SyncRows& rows, const ReadRow& read,
                         Resolver& resolver, DateTime now) {
  const EntityKeyView key = read.key.view();
  ENTITABLE_TRY(const std::uint64_t changed_at, rows.BaseChangedAt(key));
  if (changed_at > read.sequence) return TakenRow{Taken::kKnown};
  ENTITABLE_TRY(SyncedRow row, rows.Find(key));
  const RemoteRow base = row.base();
  const bool is_known = read.remote ? base && base->etag == read.remote->etag
                                    : !base && !row.is_dirty();
  if (is_known) return TakenRow{Taken::kKnown};
  if (read.remote && row.mark && now < row.mark->deleted_until &&
      row.mark->deleted_etag == read.remote->etag) {
    return TakenRow{Taken::kKnown};
  }
  ENTITABLE_TRY(TakenRow taken,
                row.is_dirty() ? TakeDirtyRow(rows, read, row, resolver, now)
                               : TakeCleanRow(rows, read, row, now));
  taken.is_older = IsOlder(read.remote, base);
  return taken;
}

}  // namespace entitable::sync
