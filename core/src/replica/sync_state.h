// sync_state.h - what sync stores of a table beside its rows: groups,
// positions, conflicts, the adoption and the remote's address.
//
// It stores each of these as one row of the hidden table (hidden_table.h), so a
// step that changes a group, a position and some rows does so in one commit.

#ifndef ENTITABLE_REPLICA_SYNC_STATE_H_
#define ENTITABLE_REPLICA_SYNC_STATE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "replica/hidden_table.h"
#include "sync/state.h"
#include "sync/sync_rows.h"
#include "write/staging.h"

namespace entitable {

// Up to where the rows that were there before sync have become dirty.  Rows
// behind that count as unknown to the remote, also when they are written.
struct Adoption {
  bool is_complete = false;
  std::optional<EntityKey> last = {};  // The last row that is done.

  bool Has(EntityKeyView key) const {
    return is_complete || (last && key <= last->view());
  }
};

// The part of SyncRows that needs no row of the synced table.
class SyncState : public sync::SyncRows {
 public:
  SyncState(Staging& staging, TableId hidden, DateTime timestamp)
      : staging_(staging), hidden_(staging, hidden, timestamp) {}

  Poll<Adoption> FindAdoption();
  void PutAdoption(const Adoption& adoption);

  // The address of the table in the remote account; nothing: it is not known.
  Poll<std::optional<std::string>> FindRemote();
  void PutRemote(std::string_view address);

  // Its number is the key of its row, by which the app confirms it.
  struct StoredConflict {
    std::uint64_t id;
    sync::ConflictRecord record;
  };
  // In the order in which they were stored, behind this one.
  Poll<std::vector<StoredConflict>> ConflictsAfter(std::uint64_t id,
                                                   std::size_t limit);
  void RemoveConflict(std::uint64_t id);

  // Groups of all partitions, in the order of partitions, first those that were
  // not sent and then those that were; `after` is the place of the last one:
  // its sort key.
  struct PlacedGroup {
    std::string place;
    sync::Group group;
  };
  Poll<std::vector<PlacedGroup>> AllGroups(const std::string& after,
                                           std::size_t limit);

  // --- SyncRows

  Poll<std::vector<std::string>> PartitionsWithGroups() override;
  Poll<std::vector<sync::Group>> GroupsOf(std::string_view partition_key,
                                          sync::GroupId after,
                                          std::size_t limit) override;
  Poll<std::vector<sync::Group>> SentGroups(
      std::string_view partition_key) override;
  Poll<std::optional<sync::Group>> FindGroup(std::string_view partition_key,
                                             sync::GroupId id) override;
  void PutGroup(const sync::Group& group) override;
  void RemoveGroup(std::string_view partition_key, sync::GroupId id) override;
  std::uint64_t NewNumber() override { return staging_.NewNumber(); }
  Poll<sync::PullState> FindPull(const sync::Scope& scope) override;
  void PutPull(const sync::Scope& scope, const sync::PullState& state) override;
  Poll<bool> HasPulled() override;
  void AddConflict(const sync::ConflictRecord& conflict) override;

 protected:
  Staging& staging() { return staging_; }
  HiddenTable& hidden() { return hidden_; }

 private:
  Poll<std::vector<sync::Group>> GroupsIn(HiddenKind kind,
                                          std::string_view partition_key,
                                          sync::GroupId after,
                                          std::size_t limit);

  Staging& staging_;
  HiddenTable hidden_;
  // A step asks for it with every row, and only one of its own changes moves
  // it.
  std::optional<Adoption> adoption_;  // Nothing: not read yet.
};

}  // namespace entitable

#endif  // ENTITABLE_REPLICA_SYNC_STATE_H_
