// Four numbers of log records say what a state knows:
//
//   checkpoint.number   all records up to it are flushed; an opener begins here
//   manifest.number     all changes up to it are in the pages of the manifest
//   manifest.needs      must be known beside these pages (store/manifest.h)
//   head                the last record that is known, by itself or by pages
//
// A flush stores checkpoint and manifest in one batch.  A compaction stores the
// manifest alone, and a bulk load the manifest with a record.  So a manifest
// may be newer than the checkpoint, and is never older once a snapshot of both
// was taken in.  At rest:
//
//   checkpoint.number <= manifest.number <= head,  manifest.needs <= head
//
// An example; a dash means that nothing behind manifest.number is needed:
//
//   what happens                       checkpoint  manifest  needs  head
//   open: all is flushed                    7          7       -      7
//   a record                                7          7       -      8
//   a bulk load: manifest and record        7          7       9      9
//   a flush of a part, up to 8              8          8       9      9
//   a flush of the rest                     9          9       -      9
//   a manifest is read alone:
//     of another engine's flush, up to 12   9         12       -     12
//     of its bulk load, as record 13        9         12       -     12  behind
//   the log is read (CatchUp())            12         12      13     13
//
// A state that is behind answers from what it has.  Its engine reads the log
// before it reads pages again, because those of its old manifest may be gone.

#include "store/account_state.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/visit.h"
#include "model/names.h"
#include "store/envelope.h"
#include "store/sort_key.h"
#include "store/table_row.h"

namespace entitable {
namespace {

Failure Damaged(const char* text) {
  return Fail(ErrorCode::kStorageDamaged, text);
}

Result<Checkpoint> ReadCheckpoint(const Bytes& value) {
  auto checkpoint = DecodeCheckpoint(value);
  if (!checkpoint)
    return Named(ValueKey::Checkpoint(), std::move(checkpoint).error());
  return checkpoint;
}

Result<Manifest> ReadManifest(const Bytes& value) {
  auto manifest = DecodeManifest(value);
  if (!manifest)
    return Named(ValueKey::Manifest(), std::move(manifest).error());
  return manifest;
}

Failure IsAnotherStore() { return Fail(ErrorCode::kStorageEvicted); }

}  // namespace

Result<std::unique_ptr<AccountState>> AccountState::Open(
    const Bytes& checkpoint, const std::optional<Bytes>& manifest) {
  std::unique_ptr<AccountState> state(new AccountState);
  ENTITABLE_TRY(state->checkpoint_, ReadCheckpoint(checkpoint));
  state->checkpoint_value_ = Share(checkpoint);
  state->head_ = state->checkpoint_.number;
  state->head_crc_ = state->checkpoint_.crc;
  state->recent_.ForgetUpTo(state->head_);
  state->last_timestamp_ = state->checkpoint_.last_timestamp;
  state->manifest_.store_id = state->checkpoint_.store_id;
  ENTITABLE_TRY(state->InstallManifest(manifest, state->progress()));
  if (state->manifest_.number != state->checkpoint_.number ||
      state->manifest_.crc != state->checkpoint_.crc) {
    return Named(
        ValueKey::Manifest(),
        Damaged("The checkpoint and the manifest do not belong together."));
  }
  return state;
}

Result<void> AccountState::Apply(const RecordHead& head, SharedBytes value) {
  if (head.number != head_ + 1) return Damaged("The log has a gap.");
  if (head.previous_crc != head_crc_) {
    return Damaged("A log record does not continue the record before it.");
  }
  head_ = head.number;
  head_crc_ = EnvelopeCrc(*value);
  last_timestamp_ = std::max(last_timestamp_, head.last_timestamp);
  unflushed_bytes_ += value->size();
  unflushed_.push_back(
      {head_, head_crc_, {head.session, head.commit}, std::move(value)});
  UnflushedRecord& record = unflushed_.back();
  const BytesView bytes = *record.value;
  for (Decoder rest(bytes.substr(kRecordHeadBytes)); !rest.at_end();) {
    const ChangeInRecord change = ReadCheckedChange(rest);
    if (!IsOfKnownTable(change)) {
      return Damaged("A log record names a table that was never created.");
    }
    Visit([&](const auto& one) { ApplyChange(one, record); }, change);
  }
  recent_.Trim();
  ++version_;
  return {};
}

bool AccountState::IsOfKnownTable(const ChangeInRecord& change) const {
  const TableId table =
      Visit([](const auto& one) { return one.table; }, change);
  const bool is_new = std::holds_alternative<TableCreated>(change);
  if (table != kCatalogue) {
    return table < next_table_ || (is_new && table == next_table_);
  }
  const auto* put = std::get_if<PutInRecord>(&change);
  if (put == nullptr) return false;
  if (put->key == kAccountKey) return true;
  const auto row = ReadTableRow(put->entity);
  return row && row->id < next_table_ &&
         put->key == TableRowEntityKey(row->name).view();
}

void AccountState::ApplyChange(const TableCreated& change,
                               UnflushedRecord& record) {
  next_table_ = std::max(next_table_, change.table + 1);
  NoteTable(change.table, record.number);
  const Entity& row = record.table_rows.emplace_front(
      MakeTableRow({change.table, change.name}));
  memtable_.Put(TableRowKey(change.name), {record.number, row});
}

void AccountState::ApplyChange(const TableDropped& change,
                               UnflushedRecord& record) {
  memtable_.Put(TableRowKey(change.name), {record.number, std::nullopt});
  memtable_.Erase(WholeTable(change.table));
  dropped_.push_back({record.number, change.table});
  NoteTable(change.table, record.number);
}

void AccountState::ApplyChange(const PutInRecord& change,
                               UnflushedRecord& record) {
  PutRow(change.table, change.key, {record.number, change.entity},
         change.origin);
}

void AccountState::ApplyChange(const DeletionInRecord& change,
                               UnflushedRecord& record) {
  PutRow(change.table, change.key, {record.number, std::nullopt},
         change.origin);
}

void AccountState::NoteTable(TableId table, std::uint64_t number) {
  recent_.Note(number, Origin::kLocal, table, WholeTable(table).begin);
}

void AccountState::PutRow(TableId table, EntityKeyView key, const MemRow& row,
                          Origin origin) {
  std::string sort_key = MakeSortKey(table, key);
  recent_.Note(row.number, origin, table, sort_key);
  memtable_.Put(std::move(sort_key), row);
}

// The rows are in the pages of the manifest that came with the record.
void AccountState::ApplyChange(const RangeLoaded& change,
                               UnflushedRecord& record) {
  NoteTable(change.table, record.number);
  last_load_ = record.number;
}

Result<void> AccountState::InstallCheckpoint(const std::optional<Bytes>& value,
                                             const Progress& asked_at) {
  if (value == *checkpoint_value_) return {};
  if (!value) return IsAnotherStore();
  ENTITABLE_TRY(Checkpoint checkpoint, ReadCheckpoint(*value));
  if (checkpoint.store_id != checkpoint_.store_id) return IsAnotherStore();
  if (checkpoint.number < asked_at.checkpoint_number) {
    return Damaged("The store fell back to an older state while it was open.");
  }
  if (checkpoint.number < checkpoint_.number) return {};
  checkpoint_ = std::move(checkpoint);
  checkpoint_value_ = Share(*value);
  ++version_;
  return {};
}

Result<void> AccountState::InstallManifest(const std::optional<Bytes>& value,
                                           const Progress& asked_at) {
  return Install(value, asked_at, /*is_log_known=*/true);
}

Result<void> AccountState::InstallManifestAlone(
    const std::optional<Bytes>& value, const Progress& asked_at) {
  return Install(value, asked_at, /*is_log_known=*/false);
}

// A read returns what was stored at some moment after it was asked for, and
// reads overtake one another.  The order of the questions matters:
//
//    value                                     outcome
// 1. the known one                             nothing to do
// 2. none, and none was known at `asked_at`    stale: a later read was faster
// 3. none, in a snapshot with the log          damage: pages are lost
// 4. none, alone                               behind: the log will tell
//                                              whether the store is gone
// 5. cannot be decoded                         damage
// 6. of another store                          evicted
// 7. older than what was known at `asked_at`,  damage: the storage fell back,
//    or another one of the known version       or has let two engines store it
// 8. older than what is known by now           stale
// 9. alone, and needs records that are not     behind, with the old manifest:
//    known                                     its pages still fit the log
//    else: it is newer                         installed
//
// 7 comes before 8, because a value that fell back is older than what is known,
// too.
Result<void> AccountState::Install(const std::optional<Bytes>& value,
                                   const Progress& asked_at,
                                   bool is_log_known) {
  const bool is_known = manifest_value_ ? value == *manifest_value_ : !value;
  if (is_known) {  // 1
    is_behind_ = false;
    return {};
  }
  if (!value && asked_at.manifest_version == 0) return {};  // 2
  if (!value && is_log_known) {                             // 3
    return Named(ValueKey::Manifest(),
                 Error(ErrorCode::kStorageDamaged, "The manifest is missing."));
  }
  if (!value) {  // 4
    is_behind_ = true;
    return {};
  }
  ENTITABLE_TRY(Manifest manifest, ReadManifest(*value));                // 5
  if (manifest.store_id != manifest_.store_id) return IsAnotherStore();  // 6
  const bool is_fork = manifest.version == manifest_.version;
  if (manifest.version < asked_at.manifest_version || is_fork) {  // 7
    return Damaged(
        "The manifest fell back to an older version while the store was open.");
  }
  if (manifest.version < manifest_.version) return {};  // 8
  is_behind_ =
      !is_log_known && manifest.needs > std::max(head_, manifest.number);
  if (is_behind_) return {};  // 9
  manifest_ = std::move(manifest);
  manifest_value_ = Share(*value);
  // Records that only pages tell of: what they changed is not known row by row.
  if (manifest_.number > head_) {
    head_ = manifest_.number;
    head_crc_ = manifest_.crc;
    recent_.ForgetUpTo(head_);
  }
  last_timestamp_ = std::max(last_timestamp_, manifest_.last_timestamp);
  next_table_ = std::max(next_table_, manifest_.next_table);
  ForgetWhatIsInPages();
  ++version_;
  ++manifest_changes_;
  return {};
}

void AccountState::ForgetWhatIsInPages() {
  memtable_.Forget(manifest_.number);
  std::erase_if(unflushed_, [this](const UnflushedRecord& record) {
    if (record.number > manifest_.number) return false;
    unflushed_bytes_ -= record.value->size();
    return true;
  });
  std::erase_if(dropped_, [this](const Dropped& dropped) {
    return dropped.number <= manifest_.number;
  });
}

}  // namespace entitable
