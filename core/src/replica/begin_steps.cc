// Steps that begin and end the sync of a table.
//
//   not synced --start--> adopting --adopt, again and again--> synced
//        ^                    |                                  |
//        +------- stop -------+----------------------------------+
//
// `start` makes the hidden table and names it in the catalogue row, in one
// commit with the address of the remote.  From then on every write leaves a
// mark.  `adopt` gives marks to the rows of before, 100 in a step.  A copy that
// is only read has nothing to push: its adoption is complete at once.  `stop`
// drops the hidden table, and with it all that sync knew.

#include <optional>
#include <string>
#include <vector>

#include "base/text_encodings.h"
#include "replica/sync_step.h"
#include "sync/local_write.h"
#include "write/indexed_rows.h"

namespace entitable::steps {
namespace {

constexpr std::string_view kNoCopy =
    "The table has entities of its own. A copy begins with an empty table, or "
    "with an archive and its date.";

// A table that was created in this commit has a row without settings.
Poll<PropertyList> TableRow(StepContext& step) {
  const EntityKey key = TableRowEntityKey(step.table.name);
  ENTITABLE_TRY(const auto row,
                step.staging.FindEntity(kCatalogue, key.view(),
                                        StoredRows::Part::kProperties));
  if (!row) return MakeTableRow(step.table).properties;
  return *PropertyList::FromBytes(row->properties);
}

void PutTableRow(StepContext& step, const PropertyList& row) {
  step.staging.Put(kCatalogue, TableRowEntityKey(step.table.name).view(),
                   {step.timestamp, row.bytes()});
}

Error OtherRemote(const StepContext& step, const std::string& known) {
  return Fail(ErrorCode::kTableSynced,
              "The table is synced with " + known +
                  ". Before you sync it with " + step.remote_address() +
                  ", end that sync with forget({ keepRows: true, discard: "
                  "true }), or with entitable forget.");
}

// In another remote table, all rows that are known would look deleted.
Poll<void> CheckRemote(const StepContext& step, SyncedTable& rows) {
  const std::string address = step.remote_address();
  ENTITABLE_TRY(const auto known, rows.FindRemote());
  if (known && *known == address) return {};
  ENTITABLE_TRY(const bool has_pulled, rows.HasPulled());
  if (known && has_pulled) return OtherRemote(step, *known);
  rows.PutRemote(address);
  return {};
}

Failure NotPushed() {
  return Fail(ErrorCode::kTableSynced,
              "The table has rows that are not pushed yet.");
}

Poll<void> CheckNoRowsAfter(StepContext& step,
                            const std::optional<EntityKey>& after) {
  ENTITABLE_TRY(const auto own, step.rows.RowsAfter(after, 1));
  return own.empty() ? Poll<void>() : NotPushed();
}

// Whether the remote has all that was written here.
//
// Rows that are not adopted yet need not be in a group, but the remote does not
// have them.
Poll<void> CheckPushed(StepContext& step) {
  ENTITABLE_TRY(const Adoption adoption, step.rows.FindAdoption());
  if (!adoption.is_complete)
    ENTITABLE_TRY(CheckNoRowsAfter(step, adoption.last));
  ENTITABLE_TRY(const auto pending, step.rows.AllGroups({}, 1));
  return pending.empty() ? Poll<void>() : NotPushed();
}

// Whether nothing is lost when the sync ends.
//
// What would be lost: writes that were not pushed, and conflicts that the app
// does not know of yet.  An app that says `discard` has agreed to lose both.
Poll<void> CheckMayStop(StepContext& step) {
  if (step.request.discards) return {};
  if (!step.is_synced()) {
    return step.request.keeps_rows ? Poll<void>() : CheckNoRowsAfter(step, {});
  }
  ENTITABLE_TRY(CheckPushed(step));
  ENTITABLE_TRY(const auto conflicts, step.rows.ConflictsAfter(0, 1));
  if (conflicts.empty()) return {};
  return Fail(ErrorCode::kTableSynced,
              "The table has resolved conflicts that are not confirmed.");
}

}  // namespace

// The rows of a copy that is only read are those of an archive of the remote:
// their ETags are those of their timestamps, and `date` is the archive's.
Poll<void> Start(StepContext& step) {
  ENTITABLE_TRY(const PropertyList row, TableRow(step));
  const bool is_new = !step.is_synced();
  Table synced = step.table;
  if (is_new) {
    synced.sync = step.staging.next_table_id();
    step.staging.Add(TableCreated{synced.sync, kHiddenMark + step.table.name});
  }
  SyncedTable rows(step.staging, synced, step.timestamp, 0, Origin::kRemote);
  ENTITABLE_TRY(CheckRemote(step, rows));
  if (!is_new && step.table.is_read_only == step.request.is_read_only)
    return {};
  if (!is_new && step.request.is_read_only) {
    ENTITABLE_TRY(CheckPushed(step));
    rows.PutAdoption({.is_complete = true});
  }
  PutTableRow(step,
              WithSync(row.bytes(), synced.sync, step.request.is_read_only));
  if (!is_new || !step.request.is_read_only) return {};
  const bool is_archive = step.request.date > DateTime();
  if (!is_archive) {
    ENTITABLE_TRY(const auto own, rows.RowsAfter({}, 1));
    if (!own.empty())
      return Fail(ErrorCode::kTableSynced, std::string(kNoCopy));
  }
  rows.PutAdoption({.is_complete = true});
  if (is_archive) {
    rows.PutPull(step.request.scope, {.is_complete = true,
                                      .from = step.request.date,
                                      .wide_from = step.request.date});
  }
  return {};
}

// A table that does not keep its rows becomes another table with the same name.
// So the rows go with one change of the catalogue, however many there are.
Poll<void> Stop(StepContext& step) {
  ENTITABLE_TRY(CheckMayStop(step));
  const bool is_done = !step.is_synced() && step.request.keeps_rows;
  if (step.request.is_check || is_done) return {};
  ENTITABLE_TRY(const PropertyList row, TableRow(step));
  if (step.is_synced()) {
    step.staging.Add(
        TableDropped{step.table.sync, kHiddenMark + step.table.name});
  }
  PropertyList plain = WithSync(row.bytes(), kNoTable, false);
  if (!step.request.keeps_rows) {
    step.staging.Add(TableDropped{step.table.id, step.table.name});
    Table empty = step.table;
    empty.id = step.staging.next_table_id();
    step.staging.Add(TableCreated{empty.id, empty.name});
    plain = MergedByName(plain.bytes(), MakeTableRow(empty).properties);
    plain = WithIndexes(plain.bytes(), EmptyIndexes(step.staging, step.table));
  }
  PutTableRow(step, plain);
  return {};
}

// The last key of this step is stored with the marks, so a crash repeats no
// row.  If there are fewer rows than a step may take, they were the last ones.
Poll<void> Adopt(StepContext& step) {
  ENTITABLE_TRY(Adoption adoption, step.rows.FindAdoption());
  if (!adoption.is_complete) {
    ENTITABLE_TRY(const auto keys,
                  step.rows.RowsAfter(adoption.last, kMostPerStep));
    for (const EntityKey& key : keys) step.rows.Expect(key.view());
    for (const EntityKey& key : keys) {
      ENTITABLE_TRY(sync::AdoptRow(step.rows, key));
    }
    adoption.is_complete = keys.size() < kMostPerStep;
    if (!keys.empty()) adoption.last = keys.back();
    step.rows.PutAdoption(adoption);
  }
  step.answer.Flag("done", adoption.is_complete);
  return {};
}

// The host names a Web Lock by the id of the store, so tabs take turns to sync
// it.
Poll<void> Ask(StepContext& step) {
  const auto& id = step.staging.state().checkpoint().store_id;
  step.answer.Text(
      "store", HexOf({reinterpret_cast<const char*>(id.data()), id.size()}));
  return {};
}

// The address is compared at the beginning of each round, too: another tab may
// have put the table under sync with another remote.
Poll<void> Status(StepContext& step) {
  if (!step.request.url.empty()) {
    ENTITABLE_TRY(const auto known, step.rows.FindRemote());
    if (known && *known != step.remote_address())
      return OtherRemote(step, *known);
  }
  ENTITABLE_TRY(const bool may_create, sync::MayCreateTable(step.rows));
  ENTITABLE_TRY(const auto partitions, step.rows.PartitionsWithGroups());
  step.answer.Flag("mayCreateTable", may_create);
  step.answer.Json("partitions", JsonTexts(partitions));
  return {};
}

}  // namespace entitable::steps
