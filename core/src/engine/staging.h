// staging.h - the account as it will be if the next commit succeeds.

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
#include "store/store.h"
#include "store/table_row.h"

namespace entitable {

// Changes on top of an unchanged state.  Dropping the Staging drops the
// changes.
class Staging {
 public:
  // Both must outlive the Staging, and the state must not change before its
  // end. Results are meaningless while rows are missing.
  Staging(const AccountState& state, StoredRows& stored);

  // Nothing or null if there is none.  Fails with StorageDamaged.
  Result<std::optional<Table>> FindTable(std::string_view name) const;
  Result<const Entity*> FindEntity(TableId table, EntityKeyView key,
                                   StoredRows::Part part) const;

  TableId next_table_id() const { return next_table_; }

  // The timestamp of a write at this time: later than all earlier timestamps.
  // Fails with StorageDamaged if no later timestamp exists, which only a
  // damaged store can cause.
  Result<DateTime> NextTimestamp(DateTime now) const;

  // Adds all changes of one request, with its timestamp.  If the record would
  // become too long, the changes are left out and the staging is full.  The
  // first request always fits.
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
  std::size_t record_bytes_ = kRecordOverhead;  // An upper bound.
  bool is_full_ = false;

  // The rows that are changed, and the position of each one's newest state in
  // changes_.
  KeyTable rows_;
  std::vector<std::size_t> newest_;
};

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_STAGING_H_
