#include "sync/push.h"

#include <algorithm>
#include <utility>

#include "sync/grouping.h"
#include "sync/local_write.h"

namespace entitable::sync {
namespace {

using State = Group::State;

RequestKind KindOf(const SyncedRow& row, DateTime now) {
  const RowValue& value = row.first_value();
  const RemoteRow& base = row.mark->base;
  return RequestFor({.is_there = value.has_value(),
                     .is_base_there = base.has_value(),
                     .is_equal = SameValue(value, ValueOf(base)),
                     .may_be_inserted = row.mark->MayBeInserted(now),
                     .may_change = !row.mark->sent.empty()});
}

PushOperation OperationOf(EntityKeyView key, const SyncedRow& row,
                          RequestKind kind) {
  PushOperation operation{
      .kind = kind,
      .key = {std::string(key.partition_key), std::string(key.row_key)}};
  if (kind != RequestKind::kDelete) operation.value = row.first_value();
  if (kind != RequestKind::kInsert) operation.etag = row.mark->base->etag;
  return operation;
}

// Unlike KindOf(), which looks at attempts in doubt, this looks at the values
// alone: once a request was begun, each attempt must have the same operations.
Poll<void> AddOperations(SyncRows& rows, const Group& group,
                         PushRequest& request) {
  for (const std::string& row_key : group.row_keys) {
    const EntityKeyView key{group.partition_key, row_key};
    ENTITABLE_TRY(const SyncedRow row, rows.Find(key));
    if (!row.is_dirty()) return Fail(ErrorCode::kStorageDamaged);
    const bool is_there = row.first_value().has_value();
    const RequestKind kind = !is_there        ? RequestKind::kDelete
                             : row.mark->base ? RequestKind::kReplace
                                              : RequestKind::kInsert;
    request.operations.push_back(OperationOf(key, row, kind));
  }
  return {};
}

// ------------------------------------------------------------------- waiting

// Rows that wait for an attempt of unknown outcome.
struct WaitingRows {
  std::vector<EntityKey> to_read;  // Their time is over.
  bool is_settling = false;        // That of others is not.
};

Poll<void> AddWaiting(SyncRows& rows, const Group& group, DateTime now,
                      WaitingRows& found) {
  if (group.state == State::kSent || group.state == State::kRejected) return {};
  for (const std::string& row_key : group.row_keys) {
    EntityKey key{group.partition_key, row_key};
    ENTITABLE_TRY(const SyncedRow row, rows.Find(key.view()));
    if (!row.is_dirty()) return Fail(ErrorCode::kStorageDamaged);
    const bool has_turn = row.mark->entries.front().group == group.id;
    if (!has_turn || KindOf(row, now) != RequestKind::kWait) continue;
    if (row.mark->MayBeProven(now)) {
      found.to_read.push_back(std::move(key));
    } else {
      found.is_settling = true;
    }
  }
  return {};
}

Poll<WaitingRows> FindWaiting(SyncRows& rows, std::string_view partition_key,
                              DateTime now) {
  constexpr std::size_t kGroups = 100;
  WaitingRows found;
  GroupId after = 0;
  for (;;) {
    ENTITABLE_TRY(const std::vector<Group> groups,
                  rows.GroupsOf(partition_key, after, kGroups));
    if (groups.empty()) return found;
    for (const Group& group : groups) {
      after = group.id;
      ENTITABLE_TRY(AddWaiting(rows, group, now, found));
    }
  }
}

// ------------------------------------------------------------------- sending

// Makes a request of the groups that have their turn, the oldest first.  A
// group that has to wait holds up only the groups that share rows with it.  The
// limit of each list is as many groups as a request can have rows, so one list
// usually fills it.
class Sender {
 public:
  Sender(SyncRows& rows, std::string_view partition_key, DateTime now,
         const GroupLimits& limits)
      : rows_(rows),
        now_(now),
        limits_(limits),
        request_{.partition_key = std::string(partition_key), .sent_at = now} {}

  Poll<BegunPush> Begin() {
    ENTITABLE_TRY(std::vector<Group> sent,
                  rows_.SentGroups(request_.partition_key));
    if (!sent.empty()) return SendAgain(sent, sent.front().request);
    ENTITABLE_TRY(std::vector<Group> ready, ReadyGroups());
    const std::size_t count = CountTogether(ready, limits_);
    if (count == 0) return BegunPush{.is_settling = waiting_.is_settling};
    request_.number = rows_.NewNumber();
    for (std::size_t i = 0; i < count; ++i) ENTITABLE_TRY(Send(ready[i]));
    return BegunPush{.request = std::move(request_)};
  }

 private:
  // As many as fill a request, in the order of their first changes.  One group
  // more shows that it is full.  Until one is ready, also looks which rows of
  // the others wait: if the time alone can settle them, the host comes back
  // later.
  Poll<std::vector<Group>> ReadyGroups() {
    std::vector<Group> ready;
    GroupId after = 0;
    for (;;) {
      ENTITABLE_TRY(
          std::vector<Group> groups,
          rows_.GroupsOf(request_.partition_key, after, limits_.rows));
      if (groups.empty()) return ready;
      for (Group& group : groups) {
        after = group.id;
        if (group.state == State::kRejected) continue;
        ENTITABLE_TRY(const bool is_ready, Prepare(group));
        if (is_ready) {
          ready.push_back(std::move(group));
          if (CountTogether(ready, limits_) < ready.size()) return ready;
        } else if (ready.empty()) {
          ENTITABLE_TRY(AddWaiting(rows_, group, now_, waiting_));
        }
      }
    }
  }

  // A time that lies too far ahead is of a clock that was set back.
  bool IsLater(const Group& group) const {
    const std::int64_t wait = group.not_before.ticks - now_.ticks;
    return wait > 0 && wait <= kLongestBackoff;
  }

  // The attempt before this one is in doubt from now on.  `sent_at` then tells
  // the attempts apart, so a late answer to the first one is known for what it
  // is.
  Poll<BegunPush> SendAgain(std::vector<Group>& groups, std::uint64_t number) {
    request_.number = number;
    for (Group& group : groups) {
      if (group.state != State::kSent || group.request != number) continue;
      group.doubt_until = std::max(group.doubt_until,
                                   DateTime{group.sent_at.ticks + kLateEffect});
      ENTITABLE_TRY(Send(group));
    }
    return BegunPush{.request = std::move(request_)};
  }

  // Whether the group may be sent and every row of it has its turn.  Rows that
  // have nothing to write leave it.
  Poll<bool> Prepare(Group& group) {
    if (IsLater(group)) return false;
    std::vector<std::pair<std::string, SyncedRow>> clean;
    for (const std::string& row_key : group.row_keys) {
      ENTITABLE_TRY(SyncedRow row, rows_.Find({group.partition_key, row_key}));
      if (!row.is_dirty()) return Fail(ErrorCode::kStorageDamaged);
      if (row.mark->entries.front().group != group.id) return false;
      row.mark->Expire(now_);
      const RequestKind kind = KindOf(row, now_);
      if (kind == RequestKind::kWait) return false;
      if (kind == RequestKind::kNothing) {
        clean.emplace_back(row_key, std::move(row));
      }
    }
    for (auto& [row_key, row] : clean) {
      const EntityKeyView key{group.partition_key, row_key};
      LeaveGroup(group, key, row.first_value());
      DropFirstEntry(row);
      row.Tidy();
      ENTITABLE_TRY(rows_.Put(key, row));
    }
    if (!clean.empty()) rows_.PutGroup(group);
    return !group.row_keys.empty();
  }

  Poll<void> Send(Group& group) {
    group.state = State::kSent;
    group.request = request_.number;
    group.sent_at = now_;
    ENTITABLE_TRY(AddOperations(rows_, group, request_));
    rows_.PutGroup(group);
    return {};
  }

  SyncRows& rows_;
  DateTime now_;
  const GroupLimits& limits_;
  PushRequest request_;
  WaitingRows waiting_;
};

// ------------------------------------------------------------------- answers

// The operation took effect.
//
// The service has stored the request as a whole, so every row of it is written.
// Where an insert is in doubt, its first attempt may still succeed after the
// row was deleted again.  That is why the value is remembered, even after a
// success.
Poll<void> Confirm(SyncRows& rows, const PushOperation& operation,
                   const std::string& etag, DateTime doubt_until,
                   const PushRequest& request, DateTime now) {
  ENTITABLE_TRY(SyncedRow row, rows.Find(operation.key.view()));
  Mark& mark = *row.mark;
  if (operation.kind == RequestKind::kDelete) {
    mark.Learn(std::nullopt);
    mark.deleted_etag = operation.etag;
    mark.deleted_until = {now.ticks + kWideOverlap};
  } else {
    mark.Learn(Version{etag, *operation.value});
  }
  mark.Prove(request.sent_at);
  if (operation.kind == RequestKind::kInsert && now < doubt_until) {
    mark.sent.push_back({operation.value, true, doubt_until});
  }
  DropFirstEntry(row);
  row.Tidy();
  return rows.Put(operation.key.view(), row);
}

Poll<void> ConfirmAll(SyncRows& rows, const PushRequest& request,
                      const PushOutcome& told, std::span<const Group> groups,
                      DateTime now) {
  for (std::size_t i = 0; i < request.operations.size(); ++i) {
    const PushOperation& operation = request.operations[i];
    const auto group = std::ranges::find_if(groups, [&](const Group& one) {
      return std::ranges::find(one.row_keys, operation.key.row_key) !=
             one.row_keys.end();
    });
    if (group == groups.end()) return Fail(ErrorCode::kStorageDamaged);
    ENTITABLE_TRY(Confirm(rows, operation, told.etags[i],
                          DoubtOf(*group, request), request, now));
  }
  for (const Group& group : groups) {
    rows.RemoveGroup(group.partition_key, group.id);
  }
  return {};
}

// An answer to a transaction that was cut off has fewer parts than operations.
// It is not known what the others became, so the request is made again, and its
// second answer leads to Settle().
bool HasAllEtags(const PushRequest& request, const PushOutcome& told) {
  if (told.etags.size() != request.operations.size()) return false;
  for (std::size_t i = 0; i < told.etags.size(); ++i) {
    const bool is_deletion = request.operations[i].kind == RequestKind::kDelete;
    if (told.etags[i].empty() && !is_deletion) return false;
  }
  return true;
}

// Of several groups, each is sent alone, to see which one is refused.
Poll<void> Reject(SyncRows& rows, const PushRequest& request,
                  const PushOutcome& told, std::span<Group> groups,
                  DateTime now) {
  for (Group& group : groups) {
    ENTITABLE_TRY(UnsendGroup(rows, request, group, now));
    group.is_alone = true;
    if (groups.size() == 1) {
      group.state = State::kRejected;
      group.error = told.error;
    }
    rows.PutGroup(group);
  }
  return {};
}

// Later writes may join what has not left.
Poll<void> ReopenGroups(SyncRows& rows, const PushRequest& request,
                        std::span<Group> groups) {
  for (Group& group : groups) {
    if (DoubtOf(group, request) > DateTime()) continue;
    rows.RemoveGroup(group.partition_key, group.id);
    group.request = 0;
    ENTITABLE_TRY(Revive(rows, group));
  }
  return {};
}

}  // namespace

Poll<BegunPush> BeginPush(SyncRows& rows, const Scope& scope,
                          std::string_view partition_key, DateTime now,
                          const GroupLimits& limits) {
  const bool is_inside =
      !scope.partition_key || *scope.partition_key == partition_key;
  ENTITABLE_TRY(const PullState pull, rows.FindPull(scope));
  if (is_inside && pull.is_complete) {
    return Sender(rows, partition_key, now, limits).Begin();
  }
  ENTITABLE_TRY(const WaitingRows waiting,
                FindWaiting(rows, partition_key, now));
  return BegunPush{.is_settling = waiting.is_settling};
}

Poll<std::optional<PushRequest>> FindRequest(SyncRows& rows,
                                             std::string_view partition_key,
                                             std::uint64_t number,
                                             DateTime sent_at) {
  PushRequest request{.number = number,
                      .partition_key = std::string(partition_key),
                      .sent_at = sent_at};
  ENTITABLE_TRY(const std::vector<Group> groups, SentGroups(rows, request));
  if (groups.empty()) return std::nullopt;
  for (const Group& group : groups) {
    ENTITABLE_TRY(AddOperations(rows, group, request));
  }
  return request;
}

Poll<std::vector<EntityKey>> RowsToRead(SyncRows& rows,
                                        std::string_view partition_key,
                                        DateTime now) {
  ENTITABLE_TRY(WaitingRows found, FindWaiting(rows, partition_key, now));
  return std::move(found.to_read);
}

Poll<std::vector<Group>> SentGroups(SyncRows& rows,
                                    const PushRequest& request) {
  ENTITABLE_TRY(std::vector<Group> groups,
                rows.SentGroups(request.partition_key));
  std::erase_if(groups, [&request](const Group& group) {
    return group.request != request.number;
  });
  return groups;
}

DateTime DoubtOf(const Group& group, const PushRequest& request) {
  if (group.sent_at == request.sent_at) return group.doubt_until;
  // A later attempt is on its way.
  return std::max(group.doubt_until,
                  DateTime{group.sent_at.ticks + kLateEffect});
}

Poll<void> UnsendGroup(SyncRows& rows, const PushRequest& request, Group& group,
                       DateTime now) {
  const DateTime doubt_until = DoubtOf(group, request);
  group.state = State::kSealed;
  group.request = 0;
  for (const std::string& row_key : group.row_keys) {
    const EntityKeyView key{group.partition_key, row_key};
    ENTITABLE_TRY(SyncedRow row, rows.Find(key));
    row.mark->Expire(now);
    if (doubt_until > DateTime()) {
      const RowValue value = row.first_value();
      const bool is_insert = value && !row.mark->base;
      row.mark->sent.push_back({value, is_insert, doubt_until});
    }
    ENTITABLE_TRY(rows.Put(key, row));
  }
  group.doubt_until = {};
  return {};
}

Poll<std::optional<PushVerdict>> CompletePush(SyncRows& rows,
                                              const PushRequest& request,
                                              const PushOutcome& told,
                                              DateTime now) {
  ENTITABLE_TRY(std::vector<Group> groups, SentGroups(rows, request));
  if (groups.empty()) return std::nullopt;
  PushVerdict next = VerdictOf(told.answer);
  if (next == PushVerdict::kNewCredentialsOnce && told.is_forbidden) {
    next = PushVerdict::kReject;
  }
  if (next == PushVerdict::kApply && !HasAllEtags(request, told)) {
    next = PushVerdict::kRetry;  // The answer is not whole.
  }
  if (next == PushVerdict::kApply) {
    ENTITABLE_TRY(ConfirmAll(rows, request, told, groups, now));
  }
  if (told.is_unsent) ENTITABLE_TRY(ReopenGroups(rows, request, groups));
  if (next == PushVerdict::kReject) {
    ENTITABLE_TRY(Reject(rows, request, told, groups, now));
  }
  return next;
}

}  // namespace entitable::sync
