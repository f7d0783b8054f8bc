// staging.h - the account as it will be if the commit in the making succeeds.

#ifndef ENTITABLE_ENGINE_STAGING_H_
#define ENTITABLE_ENGINE_STAGING_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "store/account_state.h"

namespace entitable {

// Changes laid over a state that stays as it is: dropping a Staging undoes all.
class Staging {
 public:
  // The state must outlive it, and not change meanwhile.
  explicit Staging(const AccountState& state);

  // Null when there is none.
  const Table* FindTable(std::string_view name) const;
  const Entity* FindEntity(TableId table, EntityKeyView key) const;

  TableId next_table_id() const { return catalogue().next_id(); }

  // The timestamp of a write at this time: later than any given out before.
  DateTime NextTimestamp(DateTime now) const;

  // All changes of one request, and the timestamp that it was given.
  void Stage(std::vector<Change> changes, DateTime timestamp);

  bool is_empty() const { return changes_.empty(); }
  DateTime last_timestamp() const { return last_timestamp_; }
  std::vector<Change> TakeChanges() { return std::move(changes_); }

  // About how long a record of the changes is.
  std::size_t approximate_bytes() const { return approximate_bytes_; }

 private:
  struct EntityPlace {
    TableId table;
    EntityKey key;
    auto operator<=>(const EntityPlace&) const = default;
  };

  const Catalogue& catalogue() const;
  void Note(std::size_t index);

  const AccountState& state_;
  DateTime last_timestamp_;
  std::vector<Change> changes_;
  std::size_t approximate_bytes_ = 0;

  // A copy from the first change to a table on.
  std::optional<Catalogue> catalogue_;

  // Where in changes_ the newest state of an entity stands.
  std::map<EntityPlace, std::size_t> entities_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STAGING_H_
