#include "sync/pull.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "sync/push.h"
#include "sync/relation.h"
#include "sync/sync_rows.h"

namespace entitable::sync {
namespace {

Poll<AppliedRow> RefuseRow(SyncRows& rows, const EntityKey& key,
                           std::string reason) {
  ENTITABLE_TRY(NoteRefusal(rows, key.partition_key));
  AppliedRow refused{RowOutcome::kRefused};
  refused.reason = std::move(reason);
  return refused;
}

// What the remote has becomes both base and local value.  Only an absent row
// may have to wait: if an insert of ours may still arrive, its absence proves
// nothing.
Poll<AppliedRow> ApplyToClean(SyncRows& rows, const ReadRow& read,
                              SyncedRow& row, DateTime now) {
  const bool is_changed = row.base() != read.remote;
  const RowValue value = ValueOf(read.remote);
  if (!SameValue(value, row.local)) {
    ENTITABLE_TRY(std::string reason, RefusalOf(rows, read.key.view(), value));
    if (!reason.empty()) return RefuseRow(rows, read.key, std::move(reason));
  }
  if (row.mark) {
    if (!read.remote && row.mark->MayBeInserted(read.asked_at)) {
      return AppliedRow{RowOutcome::kHeldBack};
    }
    row.mark->Prove(read.asked_at);
    row.mark->Expire(now);
  }
  row.SetBase(read.remote);
  row.local = value;
  row.Tidy();
  ENTITABLE_TRY(rows.Put(read.key.view(), row));
  return AppliedRow{is_changed ? RowOutcome::kChanged : RowOutcome::kKnown};
}

// The row in conflict, and the rows of its group that wait for no other group:
// as far as it is known, the remote has their base.
Poll<std::vector<Conflict>> GroupInConflict(SyncRows& rows, const Group& group,
                                            const ReadRow& read,
                                            const SyncedRow& row) {
  std::vector<Conflict> found = {ConflictOf(read.key, row, read.remote, true)};
  for (const std::string& row_key : group.row_keys) {
    if (row_key == read.key.row_key) continue;
    const EntityKey key{group.partition_key, row_key};
    ENTITABLE_TRY(const SyncedRow other, rows.Find(key.view()));
    if (!other.is_dirty()) return Fail(ErrorCode::kStorageDamaged);
    if (other.mark->entries.front().group != group.id) continue;
    found.push_back(ConflictOf(key, other, other.base(), false));
  }
  return found;
}

// A resolver sees the rows of the group at once, because they were written
// together.  The rows that are not in conflict change only if it wants
// something else for them.
Poll<AppliedRow> ResolveRow(SyncRows& rows, const Group& group,
                            const ReadRow& read, SyncedRow& row,
                            Resolver& resolver) {
  ENTITABLE_TRY(std::vector<Conflict> conflicts,
                GroupInConflict(rows, group, read, row));
  row.mark->Prove(read.asked_at);
  const std::vector<Resolution> found = resolver.Resolve(conflicts);
  if (!AllDecided(found)) {
    return AppliedRow{RowOutcome::kUnresolved, std::move(conflicts)};
  }
  for (std::size_t i = 0; i < conflicts.size(); ++i) {
    if (!HasOutcome(conflicts[i], *found[i])) continue;
    ENTITABLE_TRY(std::string reason,
                  RefusalOf(rows, conflicts[i].key.view(), *found[i]));
    if (!reason.empty()) {
      return RefuseRow(rows, conflicts[i].key, std::move(reason));
    }
  }
  ENTITABLE_TRY(
      ApplyResolution(rows, conflicts[0], row, read.remote, *found[0]));
  for (std::size_t i = 1; i < conflicts.size(); ++i) {
    if (!HasOutcome(conflicts[i], *found[i])) continue;
    ENTITABLE_TRY(SyncedRow other, rows.Find(conflicts[i].key.view()));
    ENTITABLE_TRY(
        ApplyResolution(rows, conflicts[i], other, other.base(), *found[i]));
  }
  return AppliedRow{RowOutcome::kChanged};
}

Poll<AppliedRow> ApplyToDirty(SyncRows& rows, const ReadRow& read,
                              SyncedRow& row, Resolver& resolver,
                              DateTime now) {
  const EntityKeyView key = read.key.view();
  ENTITABLE_TRY(
      const auto group,
      rows.FindGroup(key.partition_key, row.mark->entries.front().group));
  if (!group) return Fail(ErrorCode::kStorageDamaged);
  // The same must be sent again, whatever the remote has.
  if (group->state == Group::State::kSent)
    return AppliedRow{RowOutcome::kHeldBack};
  const Relation relation = Relate(row, read.remote, read.asked_at);
  if (relation == Relation::kConflict) {
    return ResolveRow(rows, *group, read, row, resolver);
  }
  const Mark before = *row.mark;
  row.mark->Prove(read.asked_at);
  switch (relation) {
    case Relation::kSame:
      if (*row.mark != before) ENTITABLE_TRY(rows.Put(key, row));
      return AppliedRow{RowOutcome::kKnown};
    case Relation::kUnproven:
      return AppliedRow{RowOutcome::kHeldBack};
    default:
      ENTITABLE_TRY(ApplyRelation(rows, key, row, relation, read.remote, now));
      return AppliedRow{RowOutcome::kChanged};
  }
}

// Whether the version is the one that this replica has deleted.
bool IsOfDeleted(const SyncedRow& row, const Version& remote, DateTime now) {
  return row.mark && now < row.mark->deleted_until &&
         row.mark->deleted_etag == remote.etag;
}

// Whether the row may have been deleted here, and its ETag be forgotten by now.
// A request is aborted after a minute: a later answer is of a frozen tab.
bool MayBeDeleted(const SyncedRow& row, const ReadRow& read, DateTime now) {
  constexpr std::int64_t kSlowest = std::int64_t{60} * 10'000'000;
  const bool is_unknown = !row.base() && !row.is_dirty();
  return read.remote && is_unknown &&
         now.ticks - read.asked_at.ticks > kSlowest;
}

// Timestamps of a row only grow at the service.  So an older one means that the
// remote was set back, for example to a backup, and the app is told.
bool IsOlder(const RemoteRow& remote, const RemoteRow& base) {
  if (!remote || !base) return false;
  const auto time = TimeOfEtag(remote->etag);
  const auto known = TimeOfEtag(base->etag);
  return time && known && *time < *known;
}

}  // namespace

// The tests stand in this order because each makes the next one sound.  The
// fence comes first: an answer that is older than the base must not be compared
// with it.  Then come answers that bring nothing new, and those that may show a
// row that was deleted here.  Only what is left says something about the remote
// of now.
Poll<AppliedRow> ApplyRow(SyncRows& rows, const ReadRow& read,
                          Resolver& resolver, DateTime now) {
  const EntityKeyView key = read.key.view();
  ENTITABLE_TRY(const std::uint64_t changed_at, rows.BaseChangedAt(key));
  ENTITABLE_TRY(SyncedRow row, rows.Find(key));
  const RemoteRow base = row.base();
  if (changed_at > read.sequence) {
    // An even older answer may have changed the base: this one may be newer.
    const bool is_newer = read.remote && read.remote != base &&
                          !IsOlder(read.remote, base) &&
                          !IsOfDeleted(row, *read.remote, now);
    return AppliedRow{is_newer ? RowOutcome::kHeldBack : RowOutcome::kKnown};
  }
  const bool is_known = read.remote ? base && base->etag == read.remote->etag
                                    : !base && !row.is_dirty();
  const bool has_doubt = row.mark && !row.mark->sent.empty();
  if (is_known && !has_doubt) return AppliedRow{RowOutcome::kKnown};
  if (read.remote && IsOfDeleted(row, *read.remote, now)) {
    return AppliedRow{RowOutcome::kKnown};
  }
  if (MayBeDeleted(row, read, now)) return AppliedRow{RowOutcome::kHeldBack};
  ENTITABLE_TRY(AppliedRow applied,
                row.is_dirty() ? ApplyToDirty(rows, read, row, resolver, now)
                               : ApplyToClean(rows, read, row, now));
  applied.is_older = IsOlder(read.remote, base);
  return applied;
}

// ------------------------------------------------------------------------ pull

namespace {

// Without the header, only the Timestamps of the rows are known to be of the
// remote's clock.  The greatest of them is no later than the answer.
DateTime DateOf(const PulledPage& page) {
  DateTime date = page.date;
  if (date > DateTime()) return date;
  for (const PulledRow& row : page.rows) {
    const auto time = TimeOfEtag(row.version.etag);
    if (time) date = std::max(date, *time);
  }
  return date;
}

// The position behind the page.  An answer to an older request does not move
// it.  The date of the first page becomes the new beginning only at the end of
// the pull, because rows may change while the later pages are fetched.  A pull
// that is held back ends, too, but the next one begins where this one has
// begun.
void Advance(const PulledPage& page, PullState& state) {
  if (page.step != state.step) return;
  ++state.step;
  if (state.token.empty()) state.next_from = DateOf(page);
  state.token = page.next_token;
  if (!page.next_token.empty()) return;
  if (!state.is_held_back) state.from = std::max(state.from, state.next_from);
  if (state.wide_from == DateTime()) state.wide_from = state.from;
  state.is_held_back = false;
  state.is_complete = true;
}

DateTime Before(DateTime time, std::int64_t ticks) {
  return std::max(DateTime{time.ticks - ticks}, kMinDateTime);
}

}  // namespace

// Rows that a schema has refused were passed over by the position.  Nothing but
// a pull of the whole scope brings them back once another schema might take
// them.
Poll<PullRequest> NextPull(SyncRows& rows, const Scope& scope) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  const bool is_other_schema =
      state.refused_by != 0 && state.refused_by != rows.SchemaMark();
  if (is_other_schema) {
    state.refused_by = 0;
    state.token.clear();
    state.from = {};
    ++state.step;
    rows.PutPull(scope, state);
  }
  PullRequest request{.token = state.token, .step = state.step};
  if (state.from > DateTime()) request.from = Before(state.from, kOverlap);
  return request;
}

Poll<std::optional<DateTime>> WidePullFrom(SyncRows& rows, const Scope& scope) {
  ENTITABLE_TRY(const PullState state, rows.FindPull(scope));
  if (!state.is_complete || state.wide_from == DateTime()) return std::nullopt;
  return Before(state.wide_from, kWideOverlap);
}

Poll<void> CompleteWidePull(SyncRows& rows, const Scope& scope, DateTime date) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  state.wide_from = std::max(state.wide_from, date);
  rows.PutPull(scope, state);
  return {};
}

Poll<PullResult> ApplyPage(SyncRows& rows, const Scope& scope,
                           const PulledPage& page, Resolver& resolver,
                           DateTime now) {
  PullResult result;
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  const bool is_first = page.step == state.step && state.token.empty();
  if (is_first) state.is_held_back = false;
  for (const PulledRow& row : page.rows) {
    ENTITABLE_TRY(
        AppliedRow applied,
        ApplyRow(rows, {row.key, row.version, page.sequence, page.asked_at},
                 resolver, now));
    if (applied.is_older) result.older.push_back(row.key);
    if (applied.outcome == RowOutcome::kChanged) ++result.changed;
    state.is_held_back |= applied.outcome == RowOutcome::kHeldBack ||
                          applied.outcome == RowOutcome::kUnresolved;
    std::ranges::move(applied.conflicts, std::back_inserter(result.unresolved));
    if (applied.outcome == RowOutcome::kRefused) {
      result.refused.push_back({std::move(applied.reason), row.key});
    }
  }
  if (!result.refused.empty()) state.NoteRefusal(rows.SchemaMark());
  Advance(page, state);
  result.is_complete = page.next_token.empty();
  rows.PutPull(scope, state);
  return result;
}

Poll<void> RestartPull(SyncRows& rows, const Scope& scope) {
  ENTITABLE_TRY(PullState state, rows.FindPull(scope));
  if (state.token.empty()) return {};
  state.token.clear();
  ++state.step;
  rows.PutPull(scope, state);
  return {};
}

Poll<bool> MayCreateTable(SyncRows& rows) {
  ENTITABLE_TRY(const bool has_pulled, rows.HasPulled());
  return !has_pulled;
}

}  // namespace entitable::sync
