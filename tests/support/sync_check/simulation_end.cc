// All becomes quiet: what has to be true then.

#include "support/sync_check/simulation.h"
#include "sync/grouping.h"

namespace entitable::sync_check {

void Simulation::BecomeQuiet() {
  Say("all becomes quiet");
  is_quiet_ = true;
  if (!remote_.has_table()) remote_.CreateTable();
  for (Replica& replica : replicas_) {
    replica.answers.clear();
    replica.table.schema = 0;
  }
  for (int round = 0; round < 8 && !HasFailed(); ++round) {
    Advance(Seconds(700));
    for (Replica& replica : replicas_) {
      if (!HasFailed()) SyncAll(replica);
    }
  }
}

void Simulation::DeliverAll(Replica& replica) {
  while (!replica.answers.empty() && !HasFailed()) Deliver(replica);
}

void Simulation::SyncAll(Replica& replica) {
  for (const sync::Scope& scope : scopes_) {
    // The rest of a pull that had begun, and a whole one.
    for (int i = 0; i < 18; ++i) {
      Pull(replica, scope);
      DeliverAll(replica);
    }
    BeginWidePull(replica, scope);
    DeliverAll(replica);
  }
  CheckPulled(replica);
  for (const sync::Scope& scope : scopes_) {
    Reconcile(replica, scope);
    DeliverAll(replica);
  }
  PushAll(replica);
  DiscardRejected(replica);
  Commit(replica, [&](MemoryRows& rows) -> Poll<void> {
    ENTITABLE_TRY(sync::ExpireMarks(rows, std::nullopt, NowOf(replica)));
    return {};
  });
}

void Simulation::PushAll(Replica& replica) {
  const auto partitions = MemoryRows(replica.table).PartitionsWithGroups();
  if (!partitions) return;
  for (const std::string& partition_key : *partitions) {
    for (int i = 0; i < 20 && Push(replica, partition_key); ++i) {
      DeliverAll(replica);
    }
    DeliverAll(replica);
  }
}

void Simulation::DiscardRejected(Replica& replica) {
  for (const std::string partition_key : {"p", "q"}) {
    const auto groups = MemoryRows(replica.table).AllGroups(partition_key);
    if (!groups) continue;
    for (const sync::Group& group : *groups) {
      if (group.state != sync::Group::State::kRejected) continue;
      Discard(replica, {group.partition_key, group.row_keys.front()});
    }
  }
}

// Pulls find every change, and need no reconcile for it.
void Simulation::CheckPulled(Replica& replica) {
  for (const auto& [key, value] : remote_.All()) {
    MemoryRows rows(replica.table);
    const auto row = rows.Find(key.view());
    if (row && row->base() == remote_.Read(key)) continue;
    bool is_sent = false;  // Such a row is not taken.
    if (row && row->is_dirty()) {
      const auto group =
          rows.FindGroup(key.partition_key, row->mark->entries.front().group);
      is_sent = group && *group && (*group)->state == sync::Group::State::kSent;
    }
    if (is_sent) continue;
    failure_ = "a pull of replica " + std::to_string(replica.number) +
               " has not found " + key.partition_key + "/" + key.row_key;
  }
}

void Simulation::CheckReplica(Replica& replica) {
  const std::string name = "replica " + std::to_string(replica.number);
  std::map<EntityKey, sync::RowValue> different = remote_.All();
  for (const auto& [key, row] : replica.table.rows) {
    const bool is_same = sync::SameValue(row.local, remote_.Value(key));
    if (is_same) different.erase(key);
    if (!is_same) different[key] = row.local;
    if (!row.mark.empty()) failure_ = name + " has marks left";
  }
  for (const auto& [key, value] : different) {
    failure_ = name + " and the remote have different values of " +
               key.partition_key + "/" + key.row_key;
  }
  MemoryRows rows(replica.table);
  for (const EntityKey& key : rows.DirtyRows()) {
    failure_ = name + " is left with a dirty row " + key.row_key;
  }
  if (!replica.table.groups.empty()) failure_ = name + " has groups left";
}

}  // namespace entitable::sync_check
