// How a request that did not take effect is settled.
//
// The service refuses a transaction as a whole, and names one row at most.  So
// the host reads all rows of the request, and each of them is compared.  The
// work has three passes, since nothing may change before it is known that all
// can:
//
// 1. Compare() finds the relation of each row (relation.h).  If the base of a
//    row has changed since the read was requested, the read is too old for all
//    of them.
// 2. Resolve() asks the resolver once for each group that has a conflict.  If a
//    group is left open, the app decides first, and the same step is taken
//    again.
// 3. Apply() takes the request back, and then changes row by row.  What is left
//    of a group is sent again, at once or later.
//
// A group with a row that cannot be stored here is left out of the passes.  It
// is taken back like the others, and stays as it is until it can be settled.

#include "sync/settle.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "sync/relation.h"

namespace entitable::sync {
namespace {

// After a number of failures in a row: two seconds, and twice as long each
// time.
//
// The longest wait is kLongestBackoff.  More doublings would change nothing,
// and the shift stays small.
std::int64_t Backoff(std::uint32_t failures) {
  const std::uint32_t doublings = std::min(failures, 9U) - 1;
  return std::min((std::int64_t{2} << doublings) * 10'000'000, kLongestBackoff);
}

// A group whose first conflict was settled is sent again at once.
//
// The first conflict is the normal case: two replicas wrote the same row.
// Repeated ones mean that others write it all the time, or that it cannot be
// settled.
Poll<void> PostponeGroup(SyncRows& rows, const PushRequest& request,
                         Group& group, bool is_settled, DateTime now) {
  ENTITABLE_TRY(UnsendGroup(rows, request, group, now));
  const std::uint32_t failures = group.conflicts + (is_settled ? 0 : 1);
  ++group.conflicts;
  group.not_before = {failures == 0 ? 0 : now.ticks + Backoff(failures)};
  rows.PutGroup(group);
  return {};
}

// --------------------------------------------------------- rows of a request

struct SettledRow {
  EntityKey key;
  RemoteRow remote;
  Relation relation;
  Resolution resolution = {};  // Of a row of a group that has a conflict.
};

// The rows of a group, among all of the request.
struct SettledGroup {
  std::size_t begin;
  std::size_t end;
  bool is_refused = false;  // It cannot be settled now.
};

class RequestSettler {
 public:
  RequestSettler(SyncRows& rows, const PushRequest& request,
                 const RowsRead& read, DateTime now)
      : rows_(rows), request_(request), read_(read), now_(now) {}

  // Returns whether the read is newer than all bases.
  Poll<bool> Compare(std::span<const Group> groups) {
    for (const Group& group : groups) {
      groups_.push_back({settled_.size(), settled_.size(), NoteRefused(group)});
      if (groups_.back().is_refused) continue;
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
      groups_.back().end = settled_.size();
    }
    return true;
  }

  // Returns the rows of the groups whose conflicts the app must resolve.
  Poll<std::vector<Conflict>> Resolve(Resolver& resolver) {
    std::vector<Conflict> unresolved;
    for (SettledGroup& group : groups_) {
      const auto rows =
          std::span(conflicts_).subspan(group.begin, group.end - group.begin);
      const bool has_conflict =
          std::ranges::any_of(rows, &Conflict::is_conflict);
      if (!has_conflict) continue;
      const std::vector<Resolution> found = resolver.Resolve(rows);
      if (!AllDecided(found)) {
        std::ranges::copy(rows, std::back_inserter(unresolved));
        continue;
      }
      for (std::size_t i = 0; i < found.size(); ++i) {
        settled_[group.begin + i].resolution = found[i];
      }
      ENTITABLE_TRY(group.is_refused, BreaksSchema(group));
    }
    return unresolved;
  }

  Poll<void> Apply(std::span<Group> groups) {
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const bool is_settled = !groups_[i].is_refused;
      ENTITABLE_TRY(
          PostponeGroup(rows_, request_, groups[i], is_settled, now_));
    }
    for (const SettledGroup& group : groups_) {
      if (group.is_refused) continue;
      for (std::size_t i = group.begin; i < group.end; ++i) {
        ENTITABLE_TRY(ApplyRow(i));
      }
    }
    return {};
  }

  std::vector<RefusedRow> TakeRefused() { return std::move(refused_); }

 private:
  // Whether a row of the group is one that cannot be stored here.
  bool NoteRefused(const Group& group) {
    bool is_refused = false;
    for (const RefusedRow& row : read_.refused) {
      const bool is_of_group =
          std::ranges::find(group.row_keys, row.key.row_key) !=
          group.row_keys.end();
      if (is_of_group) refused_.push_back(row);
      is_refused |= is_of_group;
    }
    return is_refused;
  }

  bool HasOutcomeOf(std::size_t row) const {
    const Resolution& resolution = settled_[row].resolution;
    return resolution && HasOutcome(conflicts_[row], *resolution);
  }

  Poll<bool> BreaksSchema(const SettledGroup& group) {
    bool is_refused = false;
    for (std::size_t i = group.begin; i < group.end; ++i) {
      if (!HasOutcomeOf(i)) continue;
      const SettledRow& row = settled_[i];
      ENTITABLE_TRY(std::string reason,
                    RefusalOf(rows_, row.key.view(), *row.resolution));
      if (reason.empty()) continue;
      refused_.push_back({std::move(reason), row.key});
      is_refused = true;
    }
    return is_refused;
  }

  Poll<void> ApplyRow(std::size_t at) {
    const SettledRow& settled = settled_[at];
    const EntityKeyView key = settled.key.view();
    // By now it has what was sent.
    ENTITABLE_TRY(SyncedRow row, rows_.Find(key));
    row.mark->Prove(read_.asked_at);
    ENTITABLE_TRY(rows_.Put(key, row));
    if (HasOutcomeOf(at)) {
      return ApplyResolution(rows_, conflicts_[at], row, settled.remote,
                             *settled.resolution);
    }
    return ApplyRelation(rows_, key, row, settled.relation, settled.remote,
                         now_);
  }

  // What the request has sent counts as sent, also if it cannot take effect any
  // more.
  void AddRow(DateTime doubt_until, const EntityKey& key, const SyncedRow& row,
              const RemoteRow& remote) {
    SyncedRow compared = row;
    const RowValue& value = row.first_value();
    const bool is_insert = value && !row.mark->base;
    compared.mark->sent.push_back({value, is_insert, doubt_until});
    const Relation relation = Relate(compared, remote, read_.asked_at);
    conflicts_.push_back(
        ConflictOf(key, compared, remote, relation == Relation::kConflict));
    settled_.push_back({key, remote, relation});
  }

  SyncRows& rows_;
  const PushRequest& request_;
  const RowsRead& read_;
  DateTime now_;
  std::vector<SettledRow> settled_;  // In the order of groups and their rows.
  std::vector<Conflict> conflicts_;  // The same rows, for the resolver.
  std::vector<SettledGroup> groups_;
  std::vector<RefusedRow> refused_;
};

}  // namespace

Poll<Settled> Settle(SyncRows& rows, const PushRequest& request,
                     const RowsRead& read, Resolver& resolver, DateTime now) {
  ENTITABLE_TRY(std::vector<Group> groups, SentGroups(rows, request));
  RequestSettler settler(rows, request, read, now);
  ENTITABLE_TRY(const bool is_new, settler.Compare(groups));
  if (!is_new) return Settled{Settled::State::kReadAgain};
  ENTITABLE_TRY(std::vector<Conflict> unresolved, settler.Resolve(resolver));
  if (!unresolved.empty()) {
    return Settled{Settled::State::kUnresolved, std::move(unresolved)};
  }
  ENTITABLE_TRY(settler.Apply(groups));
  return Settled{.refused = settler.TakeRefused()};
}

Poll<void> Postpone(SyncRows& rows, const PushRequest& request, DateTime now) {
  ENTITABLE_TRY(std::vector<Group> groups, SentGroups(rows, request));
  if (groups.size() == 1) {
    return PostponeGroup(rows, request, groups[0], /*is_settled=*/false, now);
  }
  // Each is sent alone, so that one conflict does not hold up the others.
  for (Group& group : groups) {
    ENTITABLE_TRY(UnsendGroup(rows, request, group, now));
    group.is_alone = true;
    rows.PutGroup(group);
  }
  return {};
}

}  // namespace entitable::sync
