// judge.h - what became of each acknowledged write.

#ifndef ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_JUDGE_H_
#define ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_JUDGE_H_

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/sync_check/remote.h"
#include "sync/local_write.h"
#include "sync/state.h"

namespace entitable::sync_check {

// Every write sets a property to a number that no other write uses, or deletes
// a row.  So it shows where each of them has arrived.
class Judge {
 public:
  explicit Judge(const Remote& remote) : remote_(remote) {}

  // A transaction of a replica is stored there.
  struct Written {
    sync::LocalChange change;
    sync::RowValue before;
    bool is_clean;  // Now: the row is as the remote had it.
  };
  void NoteWrite(std::size_t replica, const std::vector<Written>& rows);

  // A conflict is reported.
  void NoteConflict(std::size_t replica, const sync::ConflictRecord& conflict);

  // The replica has learnt that a row which it has deleted is deleted remotely,
  // perhaps by an earlier deletion.
  void NoteDeleted(std::size_t replica, const EntityKey& key);

  // Writes of the row were discarded.
  void NoteDiscard(std::size_t replica, const EntityKey& key);

  // The remote has changed: it must not show a part of a transaction.
  void NoteRemoteChange();

  // All is quiet: no write may be lost.
  void CheckEnd();

  // The first rule that was broken; empty if there is none.
  const std::string& violation() const { return violation_; }

 private:
  struct Fact {
    std::size_t replica;
    std::uint64_t transaction;
    EntityKey key;
    std::string property = {};  // Empty: the row is deleted.
    std::int32_t number = 0;
    bool has_arrived = false;
    bool is_overwritten = false;   // By a later write of the replica.
    bool is_excused = false;       // Reported or discarded.
    bool is_unbound = false;       // Its group had a conflict in this row.
    bool is_written_back = false;  // There is nothing to push.

    bool is_settled() const {
      return has_arrived || is_overwritten || is_excused || is_written_back;
    }
    // The atomicity of a group ends where a conflict in it was resolved.
    bool is_atomic() const { return !is_excused && !is_unbound; }
  };

  // What the remote has shown of a row.
  struct Sight {
    EntityKey key;
    std::string property;
    std::int32_t number;

    auto operator<=>(const Sight&) const = default;
  };

  static bool Holds(const Fact& fact, const sync::RowValue& row);
  void Overwrite(std::size_t replica, const Written& row);
  void AddFact(Fact fact);
  void CheckReturned(const Fact& fact);
  void Blame(std::string_view rule, const Fact& fact);

  const Remote& remote_;
  std::vector<Fact> facts_;
  std::set<Sight> seen_;
  std::set<EntityKey> conflicted_;
  std::uint64_t transactions_ = 0;
  std::string violation_;
};

}  // namespace entitable::sync_check

#endif  // ENTITABLE_TESTS_SUPPORT_SYNC_CHECK_JUDGE_H_
