#include "support/sync_check/history.h"

#include <algorithm>

#include "sync/records.h"

namespace entitable::sync_check {
namespace {

sync::SyncedRow RowIn(const StoredTable& table, const EntityKey& key) {
  StoredTable one;
  const auto found = table.rows.find(key);
  if (found != table.rows.end()) one.rows.insert(*found);
  return MemoryRows(one).Find(key.view()).value();
}

// The rows whose conflicts the commit has stored, with what the remote had.
std::map<EntityKey, sync::RowValue> Reports(const StoredTable& before,
                                            const StoredTable& after) {
  std::map<EntityKey, sync::RowValue> reports;
  for (std::size_t i = before.conflicts.size(); i < after.conflicts.size();
       ++i) {
    const auto conflict = sync::DecodeConflict(after.conflicts[i]);
    if (conflict) reports[conflict->key] = conflict->remote;
  }
  return reports;
}

std::set<EntityKey> ChangedKeys(const StoredTable& before,
                                const StoredTable& after) {
  std::set<EntityKey> keys;
  for (const auto& [one, other] :
       {std::pair(&before, &after), std::pair(&after, &before)}) {
    for (const auto& [key, row] : one->rows) {
      const auto found = other->rows.find(key);
      const bool is_same = found != other->rows.end() && found->second == row;
      if (!is_same) keys.insert(key);
    }
  }
  return keys;
}

}  // namespace

void History::NoteRemoteChange(std::size_t author,
                               const std::vector<Remote::Change>& changes) {
  for (const Remote::Change& change : changes) {
    auto& versions = versions_[change.key];
    if (versions.empty()) versions.emplace_back();
    versions.push_back(change.after);
    if (author == Remote::kOther || !change.before) continue;
    PropertyCursor cursor(change.before->properties);
    while (const auto property = cursor.Next()) {
      const std::string name(property->name);
      const std::int32_t number = property->value.int32();
      const auto kept =
          change.after ? change.after->properties.Find(name) : std::nullopt;
      if (kept && kept->int32() == number) continue;
      if (!seen_.contains({author, change.key, name, number})) {
        Blame("a write is replaced that was never seen", author, change.key);
      }
    }
  }
}

std::vector<EntityKey> History::NoteCommit(std::size_t replica, Writer writer,
                                           const StoredTable& before,
                                           const StoredTable& after) {
  const auto reports = Reports(before, after);
  for (const auto& [key, remote] : reports) NoteSeen(replica, key, remote);
  std::vector<EntityKey> deleted;
  for (const EntityKey& key : ChangedKeys(before, after)) {
    const sync::SyncedRow old_row = RowIn(before, key);
    const sync::SyncedRow row = RowIn(after, key);
    NoteRow(replica, writer, key, old_row, row, reports.contains(key),
            after.schema != 0);
    if (old_row.base() && !row.base() && !row.local) deleted.push_back(key);
  }
  return deleted;
}

void History::NoteRow(std::size_t replica, Writer writer, const EntityKey& key,
                      const sync::SyncedRow& before,
                      const sync::SyncedRow& after, bool is_reported,
                      bool has_schema) {
  NoteSeen(replica, key, after.local);
  const bool is_stored = !sync::SameValue(before.local, after.local);
  if (has_schema && is_stored && after.local && after.local->Find(kUnfit)) {
    Blame("a row breaks the schema", replica, key);
  }
  if (before.base() != after.base()) {
    if (writer == Writer::kApp) {
      Blame("a write of the app changes a base", replica, key);
    }
    NoteBase(replica, key, after.base());
  }
  const bool is_clean_value =
      sync::SameValue(after.local, ValueOf(after.base()));
  if (!after.is_dirty() && !is_clean_value) {
    Blame("a clean row differs from its base", replica, key);
  }
  if (writer == Writer::kApp || !before.is_dirty() || is_reported) return;
  if (!sync::SameValue(before.local, after.local)) {
    Blame("a dirty row changes without a report", replica, key);
  }
}

void History::NoteBase(std::size_t replica, const EntityKey& key,
                       const sync::RemoteRow& base) {
  auto& versions = versions_[key];
  if (versions.empty()) versions.emplace_back();
  std::size_t& known = known_[{replica, key}];
  const auto from = versions.begin() + static_cast<std::ptrdiff_t>(known);
  const auto found = std::find(from, versions.end(), base);
  if (found != versions.end()) {
    known = static_cast<std::size_t>(found - versions.begin());
  } else if (std::ranges::find(versions, base) != versions.end()) {
    Blame("a base goes back", replica, key);
  } else {
    Blame("a base that the remote never had", replica, key);
  }
}

void History::NoteSeen(std::size_t replica, const EntityKey& key,
                       const sync::RowValue& value) {
  if (!value) return;
  PropertyCursor cursor(*value);
  while (const auto property = cursor.Next()) {
    seen_.insert(
        {replica, key, std::string(property->name), property->value.int32()});
  }
}

void History::NoteRequest(std::size_t replica,
                          const sync::PushRequest& request) {
  const auto [first, is_new] =
      requests_.try_emplace({replica, request.number}, request.operations);
  if (!is_new && first->second != request.operations) {
    Blame("a request is sent again with other operations", replica,
          request.operations.front().key);
  }
}

void History::Blame(std::string_view rule, std::size_t replica,
                    const EntityKey& key) {
  if (!violation_.empty()) return;
  violation_ = std::string(rule) + ": replica " + std::to_string(replica) +
               " " + key.partition_key + "/" + key.row_key;
}

}  // namespace entitable::sync_check
