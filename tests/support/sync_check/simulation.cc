#include "support/sync_check/simulation.h"

#include <algorithm>
#include <set>

#include "sync/local_write.h"
#include "sync/records.h"

namespace entitable::sync_check {
namespace {

// Small, so that groups are sealed.
constexpr sync::GroupLimits kLimits{.rows = 3, .bytes = 4U << 20};

const std::vector<std::string> kRowKeys = {"1", "2", "3", "4"};

std::string TextOf(const sync::RowValue& value) {
  if (!value) return "absent";
  std::string text = "{";
  PropertyCursor cursor(*value);
  while (const auto property = cursor.Next()) {
    text += std::string(property->name) + "=" +
            std::to_string(property->value.int32()) + " ";
  }
  return text + "}";
}

sync::RowValue With(const sync::RowValue& row, std::string_view name,
                    std::int32_t number) {
  PropertyList list = row ? Without(row->bytes(), name) : PropertyList();
  list.Append(name, Value::Int32(number));
  return SortedByName(list);
}

std::string TextOf(const EntityKey& key) {
  return key.partition_key + "/" + key.row_key;
}

}  // namespace

Simulation::Simulation(std::uint64_t seed)
    : random_(seed),
      is_sorted_(Percent(75)),
      remote_({.is_sorted = is_sorted_, .page_rows = 1 + Below(3)}),
      judge_(remote_),
      resolver_(static_cast<sync::ConflictPolicy>(Below(5) > 2 ? 0 : Below(3)),
                static_cast<sync::Prefer>(Below(2))) {
  remote_.OnChange([this] { judge_.NoteRemoteChange(); });
  const std::size_t count = 2 + Below(2);
  for (std::size_t i = 0; i < count; ++i) {
    replicas_.push_back({.number = i});
    replicas_.back().skew = Seconds(static_cast<double>(Below(7200)) - 3600);
  }
}

std::string Simulation::Run() {
  const std::size_t steps = 20 + Below(100);
  for (std::size_t i = 0; i < steps && failure_.empty(); ++i) Step();
  if (failure_.empty()) BecomeQuiet();
  if (failure_.empty()) CheckEnd();
  if (failure_.empty()) failure_ = judge_.violation();
  if (failure_.empty()) return {};
  std::string text = failure_ + "\n";
  for (const std::string& line : trace_) text += line + "\n";
  return text;
}

// --------------------------------------------------------------------- steps

void Simulation::Step() {
  const std::uint64_t choice = Below(100);
  if (choice < 8) return WriteRemotely();
  if (choice < 18)
    return Advance(Seconds(0.1 * static_cast<double>(Below(300))));
  if (choice < 20) return Advance(Seconds(static_cast<double>(Below(900))));
  if (choice == 20) {
    Say(remote_.has_table() ? "the table is deleted" : "the table is made");
    return remote_.has_table() ? remote_.DeleteTable() : remote_.CreateTable();
  }
  RunReplica(replicas_[Below(replicas_.size())]);
}

void Simulation::RunReplica(Replica& replica) {
  const std::uint64_t choice = Below(100);
  if (choice < 25) return WriteLocally(replica);
  if (choice < 45) {
    Push(replica, AnyPartition());
  } else if (choice < 55) {
    Pull(replica, AnyPartition());
  } else if (choice < 62) {
    Reconcile(replica, AnyPartition());
  } else if (choice < 96) {
    Deliver(replica);
  } else if (choice < 98) {
    Say("replica " + std::to_string(replica.number) + " crashes");
    ++counts_.crashes;
    replica.answers.clear();
  } else {
    Discard(replica, {AnyPartition(), kRowKeys[Below(kRowKeys.size())]});
  }
}

// Some writes are late for their Timestamp, some very late.
std::int64_t Simulation::Lag() {
  if (is_quiet_ || Percent(60)) return 0;
  return Seconds(static_cast<double>(Percent(80) ? Below(25) : Below(540)));
}

sync::RowValue Simulation::NewValue(const sync::SyncedRow& row) {
  if (Percent(20)) return std::nullopt;
  if (Percent(10)) return ValueOf(row.base());
  const std::string_view name = Percent(3) ? kPoison : Percent(50) ? "A" : "B";
  return With(row.local, name, ++last_number_);
}

void Simulation::WriteLocally(Replica& replica) {
  const std::string partition_key = AnyPartition();
  std::set<std::string> row_keys;
  for (std::size_t count = 1 + Below(3); count > 0; --count) {
    row_keys.insert(kRowKeys[Below(kRowKeys.size())]);
  }
  std::vector<Judge::Written> written;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    std::vector<sync::LocalChange> changes;
    for (const std::string& row_key : row_keys) {
      const EntityKey key{partition_key, row_key};
      ENTITABLE_TRY(const sync::SyncedRow row, rows.Find(key.view()));
      changes.push_back({key, NewValue(row)});
      written.push_back({changes.back(), row.local, false});
      Say("replica " + std::to_string(replica.number) + " writes " +
          TextOf(key) + " " + TextOf(changes.back().value));
    }
    ENTITABLE_TRY(sync::WriteLocally(rows, changes, kLimits));
    for (Judge::Written& row : written) {
      ENTITABLE_TRY(const sync::SyncedRow now,
                    rows.Find(row.change.key.view()));
      row.is_clean = !now.is_dirty();
    }
    return {};
  });
  if (is_stored) judge_.NoteWrite(replica.number, written);
}

void Simulation::WriteRemotely() {
  const EntityKey key{AnyPartition(), kRowKeys[Below(kRowKeys.size())]};
  const sync::RowValue value =
      Percent(35)
          ? std::nullopt
          : With(remote_.Value(key), Percent(50) ? "A" : "B", ++last_number_);
  Say("another client writes " + TextOf(key) + " " + TextOf(value));
  remote_.Write(key, value, Lag());
}

void Simulation::Discard(Replica& replica, const EntityKey& key) {
  Say("replica " + std::to_string(replica.number) + " discards " + TextOf(key));
  std::vector<EntityKey> discarded;
  const bool is_stored = Commit(replica, [&](MemoryRows& rows) -> Result<void> {
    const std::vector<EntityKey> before = rows.DirtyRows();
    if (std::ranges::find(before, key) == before.end()) return {};
    std::map<EntityKey, sync::SyncedRow> old;
    for (const EntityKey& dirty : before) {
      ENTITABLE_TRY(old[dirty], rows.Find(dirty.view()));
    }
    ENTITABLE_TRY(sync::Discard(rows, key, kLimits));
    for (const auto& [dirty, row] : old) {
      ENTITABLE_TRY(const sync::SyncedRow now, rows.Find(dirty.view()));
      if (now != row) discarded.push_back(dirty);
    }
    return {};
  });
  if (!is_stored) return;
  for (const EntityKey& row : discarded) {
    judge_.NoteDiscard(replica.number, row);
  }
}

void Simulation::Advance(std::int64_t ticks) {
  const DateTime end{remote_.now().ticks + ticks};
  for (;;) {
    const auto next = std::ranges::min_element(
        late_, {}, [](const auto& late) { return late.first; });
    if (next == late_.end() || next->first > end) break;
    remote_.Advance(next->first.ticks - remote_.now().ticks);
    const auto effect = std::move(next->second);
    late_.erase(next);
    ++counts_.late_effects;
    effect();
  }
  remote_.Advance(end.ticks - remote_.now().ticks);
}

void Simulation::Deliver(Replica& replica) {
  if (replica.answers.empty()) return;
  const std::size_t at = is_quiet_ ? 0 : Below(replica.answers.size());
  const auto answer = std::move(replica.answers[at]);
  replica.answers.erase(replica.answers.begin() +
                        static_cast<std::ptrdiff_t>(at));
  answer();
}

// ------------------------------------------------------------------- the end

void Simulation::BecomeQuiet() {
  Say("all becomes quiet");
  is_quiet_ = true;
  if (!remote_.has_table()) remote_.CreateTable();
  for (Replica& replica : replicas_) replica.answers.clear();
  for (int round = 0; round < 8 && failure_.empty(); ++round) {
    Advance(Seconds(700));
    for (Replica& replica : replicas_) SyncAll(replica);
  }
}

void Simulation::SyncAll(Replica& replica) {
  for (const char* const partition_key : {"p", "q"}) {
    Commit(replica, [&](MemoryRows& rows) {
      return sync::RestartPull(rows, partition_key);
    });
    for (int i = 0; i < 6; ++i) {
      Pull(replica, partition_key);
      while (!replica.answers.empty()) Deliver(replica);
    }
    replica.list_tokens.clear();
    for (int i = 0; i < 6; ++i) {
      Reconcile(replica, partition_key);
      while (!replica.answers.empty()) Deliver(replica);
    }
    for (int i = 0; i < 20 && Push(replica, partition_key); ++i) {
      while (!replica.answers.empty()) Deliver(replica);
    }
    MemoryRows rows(replica.table);
    const auto groups = rows.GroupsOf(partition_key);
    if (!groups) continue;
    for (const sync::Group& group : *groups) {
      if (group.state != sync::Group::State::kRejected) continue;
      Discard(replica, {group.partition_key, group.row_keys.front()});
    }
  }
}

void Simulation::CheckEnd() {
  const std::map<EntityKey, sync::RowValue> remote = remote_.All();
  for (Replica& replica : replicas_) {
    std::map<EntityKey, sync::RowValue> local;
    for (const auto& [key, row] : replica.table.rows) {
      if (row.local) local[key] = row.local;
    }
    const std::string name = "replica " + std::to_string(replica.number);
    for (const auto& all : {remote, local}) {
      for (const auto& [key, value] : all) {
        const auto there = remote.find(key);
        const auto here = local.find(key);
        const sync::RowValue at_remote =
            there == remote.end() ? sync::RowValue() : there->second;
        const sync::RowValue at_replica =
            here == local.end() ? sync::RowValue() : here->second;
        if (sync::SameValue(at_remote, at_replica)) continue;
        failure_ = name + " has " + TextOf(key) + " " + TextOf(at_replica) +
                   ", the remote " + TextOf(at_remote);
      }
    }
    MemoryRows rows(replica.table);
    for (const EntityKey& key : rows.DirtyRows()) {
      failure_ = name + " is left with " + TextOf(key) + " dirty";
    }
    if (!replica.table.groups.empty()) failure_ = name + " has groups left";
  }
  judge_.CheckEnd();
}

}  // namespace entitable::sync_check
