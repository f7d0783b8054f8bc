#include "support/sync_check/judge.h"

namespace entitable::sync_check {

bool Judge::Holds(const Fact& fact, const sync::RowValue& row) {
  if (fact.property.empty()) return !row;
  if (!row) return false;
  const auto value = row->Find(fact.property);
  return value && value->type() == EdmType::kInt32 &&
         value->int32() == fact.number;
}

void Judge::NoteWrite(std::size_t replica, const std::vector<Written>& rows) {
  ++transactions_;
  for (const Written& row : rows) {
    const sync::LocalChange& change = row.change;
    Overwrite(replica, row);
    Fact fact{
        .replica = replica, .transaction = transactions_, .key = change.key};
    fact.is_written_back = row.is_clean;
    if (!change.value) {
      if (row.before) AddFact(fact);
      continue;
    }
    PropertyCursor cursor(*change.value);
    while (const auto property = cursor.Next()) {
      fact.property = property->name;
      fact.number = property->value.int32();
      if (!Holds(fact, row.before)) AddFact(fact);
    }
  }
  NoteRemoteChange();
}

// What the app saw before, and sees no more.
void Judge::Overwrite(std::size_t replica, const Written& row) {
  for (Fact& fact : facts_) {
    if (fact.replica == replica && fact.key == row.change.key &&
        Holds(fact, row.before) && !Holds(fact, row.change.value)) {
      fact.is_overwritten = true;
    }
  }
}

void Judge::AddFact(Fact fact) {
  fact.has_arrived = seen_.contains({fact.key, fact.property, fact.number});
  facts_.push_back(std::move(fact));
}

void Judge::NoteConflict(std::size_t replica,
                         const sync::ConflictRecord& conflict) {
  conflicted_.insert(conflict.key);
  for (Fact& fact : facts_) {
    if (fact.replica == replica && fact.key == conflict.key &&
        Holds(fact, conflict.local)) {
      fact.is_unbound = true;
      // What the result keeps is still to arrive.
      if (!Holds(fact, conflict.result)) fact.is_excused = true;
    }
  }
}

void Judge::NoteDeleted(std::size_t replica, const EntityKey& key) {
  for (Fact& fact : facts_) {
    if (fact.replica == replica && fact.key == key && fact.property.empty()) {
      fact.has_arrived = true;
    }
  }
}

void Judge::NoteDiscard(std::size_t replica, const EntityKey& key) {
  for (Fact& fact : facts_) {
    if (fact.replica == replica && fact.key == key) fact.is_excused = true;
  }
}

void Judge::NoteRemoteChange() {
  for (const auto& [key, row] : remote_.All()) {
    PropertyCursor cursor(*row);
    while (const auto property = cursor.Next()) {
      seen_.insert({key, std::string(property->name), property->value.int32()});
    }
  }
  std::vector<std::uint64_t> arrived;
  for (Fact& fact : facts_) {
    if (fact.has_arrived || !Holds(fact, remote_.Value(fact.key))) continue;
    fact.has_arrived = true;
    if (!fact.property.empty() && fact.is_atomic()) {
      arrived.push_back(fact.transaction);
    }
  }
  for (const std::uint64_t transaction : arrived) {
    for (const Fact& fact : facts_) {
      if (fact.transaction == transaction && fact.is_atomic() &&
          !fact.is_settled()) {
        Blame("the remote shows a part of a group", fact);
      }
    }
  }
}

void Judge::CheckEnd() {
  for (const Fact& fact : facts_) {
    if (!fact.is_settled()) Blame("an acknowledged write is lost", fact);
    if (fact.is_overwritten) CheckReturned(fact);
  }
}

// What a replica has overwritten may not be there in the end, if nothing has
// conflicted with the newer write.
void Judge::CheckReturned(const Fact& fact) {
  if (fact.property.empty() || conflicted_.contains(fact.key) ||
      !Holds(fact, remote_.Value(fact.key))) {
    return;
  }
  bool has_reason = false;
  for (const Fact& other : facts_) {
    if (other.key != fact.key) continue;
    const bool is_same =
        other.property == fact.property && other.number == fact.number;
    // It was written back, or a newer write was discarded, perhaps one that
    // took back the property and is no fact of its own.
    has_reason |= (is_same && !other.is_overwritten) || other.is_excused;
  }
  if (!has_reason) Blame("an overwritten value has come back", fact);
}

void Judge::Blame(std::string_view rule, const Fact& fact) {
  if (!violation_.empty()) return;
  violation_ = std::string(rule) + ": replica " + std::to_string(fact.replica) +
               " " + fact.key.partition_key + "/" + fact.key.row_key + " " +
               (fact.property.empty()
                    ? "deleted"
                    : fact.property + "=" + std::to_string(fact.number));
}

}  // namespace entitable::sync_check
