// How a local write enters groups.
//
// All rows of a transaction must reach the remote together.  So they join one
// group, together with every open group that already has one of them:
//
//   open groups   {a, b}   {c}         a transaction writes b and c
//   afterwards    {a, b, c}            the older group takes all rows
//
// If that would be beyond the limits of a request, the old groups are sealed
// and a new one begins.  A row then has an entry in both.  The entry in the old
// group keeps its value (frozen), because that group must still write what the
// app wrote then.

#include "sync/local_write.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/heap_sort.h"
#include "sync/grouping.h"

namespace entitable::sync {
namespace {

struct ChangedRow {
  EntityKeyView key;
  SyncedRow row;
  const RowValue* value;
};

class LocalWriter {
 public:
  LocalWriter(SyncRows& rows, const GroupLimits& limits)
      : rows_(rows), limits_(limits) {}

  Poll<void> Write(std::span<const LocalChange> changes) {
    for (const LocalChange& change : changes) {
      ENTITABLE_TRY(SyncedRow row, rows_.Find(change.key.view()));
      ENTITABLE_TRY(const bool is_revived, FindJoining(change.key, row));
      if (!is_revived && SameValue(row.local, change.value)) continue;
      changed_.push_back({change.key.view(), std::move(row), &change.value});
    }
    if (changed_.empty()) return {};
    ENTITABLE_TRY(ChooseGroup());
    for (ChangedRow& changed : changed_) ENTITABLE_TRY(Change(changed));
    rows_.PutGroup(target_);
    return {};
  }

 private:
  // Notes the group that the row is to share with the other rows of the
  // transaction.  Returns whether a rejected group is tried again.
  //
  // A rejected group comes back because the app has now written something else,
  // so the service may accept it.  The row then counts as changed, even by the
  // same value.
  Poll<bool> FindJoining(const EntityKey& key, const SyncedRow& row) {
    if (!row.is_dirty()) return false;
    bool is_revived = false;
    for (const Entry& entry : row.mark->entries) {
      ENTITABLE_TRY(auto group,
                    rows_.FindGroup(key.partition_key, entry.group));
      if (!group) return Fail(ErrorCode::kStorageDamaged);
      if (group->state == Group::State::kRejected) {
        is_revived = true;
        ENTITABLE_TRY(Revive(rows_, *group));
      }
      if (group->state == Group::State::kOpen) AddOpen(*std::move(group));
    }
    return is_revived;
  }

  void AddOpen(Group group) {
    if (std::ranges::find(open_, group.id, &Group::id) == open_.end()) {
      open_.push_back(std::move(group));
    }
  }

  Poll<void> ChooseGroup() {
    std::vector<std::string> row_keys;
    std::size_t bytes = 0;
    for (const ChangedRow& changed : changed_) {
      row_keys.emplace_back(changed.key.row_key);
      bytes += RequestBytes(changed.key, *changed.value);
    }
    HeapSort(open_, IsOlder);
    if (!open_.empty() && FitsTogether(open_, row_keys, bytes, limits_)) {
      return Join();
    }
    for (Group& group : open_) {
      group.state = Group::State::kSealed;
      rows_.PutGroup(group);
    }
    target_.id = rows_.NewNumber();
    target_.partition_key = changed_.front().key.partition_key;
    return {};
  }

  // The oldest group takes the rows of the others.
  Poll<void> Join() {
    target_ = open_.front();
    for (std::size_t i = 1; i < open_.size(); ++i) {
      const Group& other = open_[i];
      for (const std::string& row_key : other.row_keys) {
        ENTITABLE_TRY(MoveEntry({other.partition_key, row_key}, other.id));
      }
      target_.row_keys = UnionOf(target_.row_keys, other.row_keys);
      target_.bytes += other.bytes;
      target_.doubt_until = std::max(target_.doubt_until, other.doubt_until);
      target_.conflicts = std::max(target_.conflicts, other.conflicts);
      target_.not_before = std::max(target_.not_before, other.not_before);
      target_.is_alone |= other.is_alone;
      rows_.RemoveGroup(other.partition_key, other.id);
    }
    return {};
  }

  Poll<void> MoveEntry(EntityKeyView key, GroupId from) {
    ENTITABLE_TRY(SyncedRow row, rows_.Find(key));
    Rename(row, from);
    for (ChangedRow& changed : changed_) {
      if (changed.key == key) Rename(changed.row, from);
    }
    return rows_.Put(key, row);
  }

  void Rename(SyncedRow& row, GroupId from) const {
    for (Entry& entry : row.mark->entries) {
      if (entry.group == from) entry.group = target_.id;
    }
  }

  // A row that joins a group anew keeps the mark that it has, or gets one with
  // the version that is known of the remote as its base.  Its entries are never
  // reordered.
  Poll<void> Change(ChangedRow& changed) {
    SyncedRow& row = changed.row;
    Mark& mark = row.Marked();
    if (mark.is_dirty() && mark.entries.back().group == target_.id) {
      LeaveGroup(target_, changed.key, row.local);
      mark.entries.back().frozen.reset();
    } else {
      if (mark.is_dirty() && !mark.entries.back().frozen) {
        mark.entries.back().frozen = row.local;
      }
      mark.entries.push_back({.group = target_.id});
    }
    row.local = *changed.value;
    if (IsBack(row)) {
      mark.entries.pop_back();
      row.Tidy();
    } else {
      JoinGroup(target_, changed.key, row.local);
    }
    return rows_.Put(changed.key, row);
  }

  // Whether the only group of the row has nothing to write any more.  Behind an
  // earlier group, the row stays in its last one, also with the same value: so
  // the other rows of that one are not written before the row is.
  static bool IsBack(const SyncedRow& row) {
    return row.mark->entries.size() == 1 && row.mark->sent.empty() &&
           SameValue(row.local, ValueOf(row.mark->base));
  }

  SyncRows& rows_;
  const GroupLimits& limits_;
  std::vector<ChangedRow> changed_;
  std::vector<Group> open_;  // That the transaction has rows of.
  Group target_;
};

// The groups of the row, and those that share rows with them.
Poll<std::vector<Group>> GroupsAround(SyncRows& rows, const EntityKey& key) {
  std::vector<Group> found;
  std::vector<std::string> row_keys = {key.row_key};
  for (std::size_t i = 0; i < row_keys.size(); ++i) {
    ENTITABLE_TRY(const SyncedRow row,
                  rows.Find({key.partition_key, row_keys[i]}));
    if (!row.is_dirty()) continue;
    for (const Entry& entry : row.mark->entries) {
      if (std::ranges::find(found, entry.group, &Group::id) != found.end()) {
        continue;
      }
      ENTITABLE_TRY(auto group, rows.FindGroup(key.partition_key, entry.group));
      if (!group) return Fail(ErrorCode::kStorageDamaged);
      row_keys = UnionOf(row_keys, group->row_keys);
      found.push_back(*std::move(group));
    }
  }
  return found;
}

// Withdraws what the app wrote to a row: it leaves the groups that were not
// sent, and gets the value of its base, or the value that was sent.  A value
// that was sent may be stored there at any moment, so it cannot be taken back
// here alone.
Poll<void> Withdraw(SyncRows& rows, EntityKeyView key,
                    std::span<const Group> groups) {
  ENTITABLE_TRY(SyncedRow row, rows.Find(key));
  if (!row.is_dirty()) return {};
  const RowValue before = row.local;
  Mark& mark = *row.mark;
  const Group& first =
      *std::ranges::find(groups, mark.entries.front().group, &Group::id);
  const bool is_sent = first.state == Group::State::kSent;
  if (is_sent && mark.entries.size() > 1) {
    // What was sent is what the app sees, until the next write.
    row.local = *mark.entries.front().frozen;
  }
  mark.entries.resize(is_sent ? 1 : 0);
  if (!is_sent) row.local = ValueOf(mark.base);
  if (!SameValue(before, row.local)) {
    ENTITABLE_TRY(rows.Check(key, row.local));
  }
  row.Tidy();
  return rows.Put(key, row);
}

// The row becomes dirty, as a group of its own.
Poll<void> AddGroupOf(SyncRows& rows, EntityKeyView key, SyncedRow& row) {
  Group group{.id = rows.NewNumber(),
              .partition_key = std::string(key.partition_key)};
  row.Marked().entries.push_back({.group = group.id});
  JoinGroup(group, key, row.local);
  rows.PutGroup(group);
  return rows.Put(key, row);
}

}  // namespace

Poll<void> WriteLocally(SyncRows& rows, std::span<const LocalChange> changes,
                        const GroupLimits& limits) {
  return LocalWriter(rows, limits).Write(changes);
}

Poll<void> Revive(SyncRows& rows, Group& group) {
  group.state = Group::State::kOpen;
  group.error.clear();
  for (const std::string& row_key : group.row_keys) {
    ENTITABLE_TRY(const SyncedRow row,
                  rows.Find({group.partition_key, row_key}));
    if (!row.is_dirty() || row.mark->entries.back().group != group.id) {
      group.state = Group::State::kSealed;
    }
  }
  rows.PutGroup(group);
  return {};
}

Poll<void> AdoptRow(SyncRows& rows, const EntityKey& key) {
  ENTITABLE_TRY(SyncedRow row, rows.Find(key.view()));
  if (!row.local || row.mark || row.base()) return {};
  return AddGroupOf(rows, key.view(), row);
}

// The app wants the remote's values.  Groups that share rows are given up
// together, or the remote would see a part of a transaction.  Rows whose sent
// values may still take effect stay dirty, and a further write takes them back
// to their base: it is pushed once it is known what became of those values.
Poll<void> Discard(SyncRows& rows, const EntityKey& key,
                   const GroupLimits& limits) {
  ENTITABLE_TRY(const std::vector<Group> groups, GroupsAround(rows, key));
  std::vector<std::string> row_keys;
  for (const Group& group : groups) {
    row_keys = UnionOf(row_keys, group.row_keys);
  }
  for (const std::string& row_key : row_keys) {
    ENTITABLE_TRY(Withdraw(rows, {key.partition_key, row_key}, groups));
  }
  for (const Group& group : groups) {
    if (group.state == Group::State::kSent) continue;
    rows.RemoveGroup(group.partition_key, group.id);
  }
  // Rows whose values may still take effect stay dirty.
  std::vector<LocalChange> changes;
  for (const std::string& row_key : row_keys) {
    const EntityKeyView view{key.partition_key, row_key};
    ENTITABLE_TRY(SyncedRow row, rows.Find(view));
    if (row.is_dirty()) {
      const RowValue base = ValueOf(row.mark->base);
      if (!SameValue(base, row.local)) ENTITABLE_TRY(rows.Check(view, base));
      changes.push_back({{key.partition_key, row_key}, base});
    } else if (row.mark && !row.mark->sent.empty()) {
      ENTITABLE_TRY(AddGroupOf(rows, view, row));
    }
  }
  return WriteLocally(rows, changes, limits);
}

}  // namespace entitable::sync
