// staging.h - the account as it will be if the next commit succeeds.
//
// The changes of a commit group are encoded into the log record as soon as they
// are evaluated, so nothing is copied before the commit.  The record grows like
// this:
//
//   head | requests that have ended | this request so far | its newest changes
//     kRecordHeadBytes          ended_              visible_            size
//
// End() moves both marks to the end.  Undo() cuts the record at `ended_`, and
// Publish() moves `visible_`, for requests that have to see their own changes
// (sync, which changes a row and its group several times).  The other requests
// search before they change anything, so they need not publish.
//
// A search looks among the visible changes first, and then in the store.  Since
// the record is one string that grows, a table of rows keeps positions in it
// and no views.  An evaluation that waits for pages drops the Staging, and the
// next one starts with an empty record: what costs time are the rows that were
// found, and these stay in StoredRows.

#ifndef ENTITABLE_WRITE_STAGING_H_
#define ENTITABLE_WRITE_STAGING_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/key_table.h"
#include "base/poll.h"
#include "entitable/result.h"
#include "store/store.h"
#include "store/table_row.h"
#include "write/stored_rows.h"

namespace entitable {

// Changes on top of an unchanged state.  Dropping the Staging drops the
// changes.
class Staging {
 public:
  // Both must outlive the Staging, and the state must not change before its
  // end.
  Staging(const AccountState& state, StoredRows& stored);

  // Null if there is none.  Valid until the next search for a table.  Fails
  // with StorageDamaged.
  Poll<const Table*> FindTable(std::string_view name) const;

  // The view is valid until the next search or change.
  Poll<std::optional<EntityView>> FindEntity(TableId table, EntityKeyView key,
                                             StoredRows::Part part) const;

  Poll<FoundRange> FindRange(const SortRange& range, const RangeLimit& limit,
                             StoredRows::Part part) const;

  // Whether a request that has ended may have changed a row of the ranges,
  // which are for a RangeSet.
  bool HaveChanged(std::string_view ranges) const;

  TableId next_table_id() const { return next_table_; }

  // A number that grows, and that no other record has: that of the record, and
  // a counter within it.  It has at most 63 bits.  After a lost race the record
  // has another number, and so has everything that was numbered in it.
  std::uint64_t NewNumber() {
    return (state_.head() + 1) << kNumberBits | taken_numbers_++;
  }

  // The timestamp of a write at this time: later than all earlier timestamps.
  // Fails with StorageDamaged if no later timestamp exists, which only a
  // damaged store can cause.
  Result<DateTime> NextTimestamp(DateTime now) const;

  // These write the changes of one request into the record, where the following
  // requests find them after End(), with the timestamp of the request.  If the
  // record becomes too long, the changes are left out and the staging is full.
  // The first request always fits.  Undo() leaves out the changes since the
  // last End(): those of a request that has failed, or whose rows are pending.
  void Put(TableId table, EntityKeyView key, const EntityView& entity,
           Origin origin = Origin::kLocal);
  void Delete(TableId table, EntityKeyView key, Origin origin = Origin::kLocal);
  void End(DateTime timestamp);
  void Undo();

  // A change of any kind, of a request that goes on.
  void Add(const Change& change);

  // Searches of the same request find its changes so far, too.
  void Publish() { visible_ = record_.size(); }

  // All of this for changes that are there already.
  //
  // For requests whose changes are known before the first of them is staged.
  void Stage(const std::vector<Change>& changes, DateTime timestamp);

  const AccountState& state() const { return state_; }
  StoredRows& stored() const { return stored_; }

  bool is_empty() const { return record_.size() <= kRecordHeadBytes; }
  bool is_full() const { return is_full_; }

  // The bytes of the changes of the request that goes on.
  std::size_t new_bytes() const { return record_.size() - ended_; }

  // How many changes the ended requests have made.
  std::size_t changes() const { return ended_changes_; }
  DateTime last_timestamp() const { return last_timestamp_; }

  // The record, for SealLogRecord(); or for an Overlay.
  Bytes TakeRecord() { return std::move(record_); }

 private:
  // More than the rows of one record.
  static constexpr int kNumberBits = 20;

  std::string_view SortKeyOf(TableId table, EntityKeyView key) const;
  std::optional<ChangeInRecord> FindStaged(std::string_view sort_key) const;
  ChangeInRecord StagedRow(std::size_t row) const;
  void NoteVisible() const;
  void Begin(std::size_t bytes);

  const AccountState& state_;
  StoredRows& stored_;
  TableId next_table_;
  DateTime last_timestamp_;
  Bytes record_;
  std::size_t changes_ = 0;
  TableId ended_next_table_;  // As of the last End(), as the next two.
  std::size_t ended_changes_ = 0;
  std::size_t ended_ = 0;    // The bytes of the record.
  std::size_t visible_ = 0;  // The bytes up to where searches find changes.
  bool is_full_ = false;
  std::uint64_t taken_numbers_ = 0;

  // The rows that are changed, and the place of each one's newest state in the
  // record.  Changes are noted when a later request asks, so a request that is
  // alone needs no table.
  mutable KeyTable rows_;
  mutable std::vector<std::size_t> newest_;
  mutable std::size_t noted_ = kRecordHeadBytes;

  // Whether the table that was found last is unchanged.
  mutable bool is_table_known_ = false;
};

}  // namespace entitable

#endif  // ENTITABLE_WRITE_STAGING_H_
