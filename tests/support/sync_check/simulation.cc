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
      remote_({.is_sorted = is_sorted_,
               .page_rows = 1 + Below(3),
               .has_date = Percent(85)}),
      judge_(remote_),
      policy_(static_cast<sync::ConflictPolicy>(Below(5) > 2 ? 0 : Below(3)),
              static_cast<sync::Prefer>(Below(2))),
      asks_app_(Percent(40)),
      is_narrow_(Percent(40)) {
  remote_.OnChange(
      [this](std::size_t author, const std::vector<Remote::Change>& changes) {
        history_.NoteRemoteChange(author, changes);
        judge_.NoteRemoteChange();
      });
  scopes_ = {{"p"}, {"q"}};
  if (Percent(30)) scopes_ = {{}};
  const std::size_t count = 2 + Below(2);
  for (std::size_t i = 0; i < count; ++i) {
    replicas_.push_back({.number = i});
    replicas_.back().skew = Seconds(static_cast<double>(Below(7200)) - 3600);
    if (Percent(20)) Adopt(replicas_.back());
    if (Percent(30)) replicas_.back().table.schema = 1;
  }
}

std::string Simulation::Run() {
  const std::size_t steps = 20 + Below(100);
  for (std::size_t i = 0; i < steps && !HasFailed(); ++i) Step();
  if (!HasFailed()) BecomeQuiet();
  for (Replica& replica : replicas_) {
    if (!HasFailed()) CheckReplica(replica);
  }
  if (!HasFailed()) judge_.CheckEnd();
  if (!HasFailed()) return {};
  std::string text =
      failure_ + judge_.violation() + history_.violation() + "\n";
  for (const std::string& line : trace_) text += line + "\n";
  return text;
}

std::string Simulation::AnyPartition() {
  return is_narrow_ || Percent(60) ? "p" : "q";
}

std::string Simulation::AnyRowKey() {
  return kRowKeys[Below(is_narrow_ ? 2 : kRowKeys.size())];
}

bool Simulation::HasFailed() const {
  return !failure_.empty() || !judge_.violation().empty() ||
         !history_.violation().empty();
}

// --------------------------------------------------------------------- steps

void Simulation::Step() {
  const std::uint64_t choice = Below(100);
  if (choice < 8) return WriteRemotely();
  if (choice < 18) {
    return Advance(Seconds(0.1 * static_cast<double>(Below(300))));
  }
  if (choice < 20) return Advance(Seconds(static_cast<double>(Below(900))));
  if (choice == 20 && Percent(60)) {
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
  } else if (choice < 54) {
    Pull(replica, AnyScope());
  } else if (choice < 58) {
    BeginWidePull(replica, AnyScope());
  } else if (choice < 63) {
    Reconcile(replica, AnyScope());
  } else if (choice < 96) {
    Deliver(replica);
  } else if (choice < 98) {
    Say("replica " + std::to_string(replica.number) + " crashes");
    ++counts_.crashes;
    replica.answers.clear();
  } else if (choice == 98) {
    ChangeSchema(replica);
  } else {
    Discard(replica, {AnyPartition(), AnyRowKey()});
  }
}

// Some writes are late for their Timestamp, some very late.
std::int64_t Simulation::Lag() {
  if (is_quiet_ || Percent(60)) return 0;
  return Seconds(static_cast<double>(Percent(80) ? Below(25) : Below(540)));
}

sync::RowValue Simulation::NewValue(const sync::SyncedRow& row) {
  if (Percent(is_narrow_ ? 35 : 20)) return std::nullopt;
  if (Percent(row.is_dirty() ? 20 : 5)) return ValueOf(row.base());
  const std::string_view name = Percent(3) ? kPoison : Percent(50) ? "A" : "B";
  return With(row.local, name, ++last_number_);
}

void Simulation::WriteLocally(Replica& replica) {
  const std::string partition_key = AnyPartition();
  std::set<std::string> row_keys;
  for (std::size_t count = 1 + Below(3); count > 0; --count) {
    row_keys.insert(AnyRowKey());
  }
  std::vector<Judge::Written> written;
  const bool is_stored = Commit(
      replica,
      [&](MemoryRows& rows) -> Poll<void> {
        std::vector<sync::LocalChange> changes;
        for (const std::string& row_key : row_keys) {
          const EntityKey key{partition_key, row_key};
          ENTITABLE_TRY(const sync::SyncedRow row, rows.Find(key.view()));
          changes.push_back({key, NewValue(row)});
          ENTITABLE_TRY(rows.Check(key.view(), changes.back().value));
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
      },
      Writer::kApp);
  if (is_stored) judge_.NoteWrite(replica.number, written);
}

// A table that has rows is put under sync.
void Simulation::Adopt(Replica& replica) {
  const EntityKey key{AnyPartition(), AnyRowKey()};
  const sync::LocalChange change{key, With(std::nullopt, "A", ++last_number_)};
  Say("replica " + std::to_string(replica.number) + " had " + TextOf(key) +
      " " + TextOf(change.value));
  MemoryRows rows(replica.table);
  if (!rows.Put(key.view(), {.local = change.value}) ||
      !sync::AdoptRow(rows, key)) {
    failure_ = "a row cannot be adopted";
  }
  history_.NoteCommit(replica.number, Writer::kApp, {}, replica.table);
  judge_.NoteWrite(replica.number, {{change, std::nullopt, false}});
}

void Simulation::WriteRemotely() {
  const EntityKey key{AnyPartition(), AnyRowKey()};
  const std::string_view name = Percent(15) ? kUnfit : Percent(50) ? "A" : "B";
  const sync::RowValue value =
      Percent(35) ? std::nullopt
                  : With(remote_.Value(key), name, ++last_number_);
  Say("another client writes " + TextOf(key) + " " + TextOf(value));
  remote_.Write(key, value, Lag());
}

void Simulation::Discard(Replica& replica, const EntityKey& key) {
  Say("replica " + std::to_string(replica.number) + " discards " + TextOf(key));
  std::vector<EntityKey> discarded;
  const bool is_stored = Commit(
      replica,
      [&](MemoryRows& rows) -> Poll<void> {
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
      },
      Writer::kApp);
  if (!is_stored) return;
  for (const EntityKey& row : discarded) {
    judge_.NoteDiscard(replica.number, row);
  }
}

// One like the one before, another one, or none.
void Simulation::ChangeSchema(Replica& replica) {
  replica.table.schema = Percent(50) ? 0 : 1 + 2 * Below(2);
  Say("replica " + std::to_string(replica.number) + " has the schema " +
      std::to_string(replica.table.schema));
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

}  // namespace entitable::sync_check
