// staging.h - the account as it will be if the commit in the making succeeds.

#ifndef ENTITABLE_ENGINE_STAGING_H_
#define ENTITABLE_ENGINE_STAGING_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/key_table.h"
#include "engine/stored_rows.h"
#include "entitable/result.h"
#include "store/account_state.h"
#include "store/change.h"
#include "store/log_record.h"
#include "store/table_row.h"

namespace entitable {

// Changes laid over a state that stays as it is: dropping a Staging undoes all.
class Staging {
 public:
  // Both must outlive it, and the state not change meanwhile.  What is found
  // while rows are lacking is worth nothing.
  Staging(const AccountState& state, StoredRows& stored);

  // Nothing, or null, when there is none.  Fails with StorageDamaged.
  Result<std::optional<Table>> FindTable(std::string_view name) const;
  Result<const Entity*> FindEntity(TableId table, EntityKeyView key) const;

  TableId next_table_id() const { return next_table_; }

  // The timestamp of a write at this time: later than any given out before.
  // Fails with StorageDamaged where none is left, which no clock can bring
  // about.
  Result<DateTime> NextTimestamp(DateTime now) const;

  // All changes of one request, and the timestamp that it was given.  They are
  // left out where the record would become too long with them, which it never
  // is with the first: then it is full, and takes no more.
  void Stage(std::vector<Change> changes, DateTime timestamp);

  const AccountState& state() const { return state_; }
  StoredRows& stored() const { return stored_; }

  bool is_empty() const { return changes_.empty(); }
  bool is_full() const { return is_full_; }
  DateTime last_timestamp() const { return last_timestamp_; }
  std::vector<Change> TakeChanges() { return std::move(changes_); }

 private:
  const Change* FindStaged(std::string_view sort_key) const;
  void Note(const Change& change);

  const AccountState& state_;
  StoredRows& stored_;
  TableId next_table_;
  DateTime last_timestamp_;
  std::vector<Change> changes_;
  std::size_t record_bytes_ = kRecordOverhead;  // Or fewer.
  bool is_full_ = false;

  // Which rows are changed, and where in changes_ the newest state of each is.
  KeyTable rows_;
  std::vector<std::size_t> newest_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STAGING_H_
