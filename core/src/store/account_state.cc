#include "store/account_state.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/visit.h"
#include "model/table_name.h"
#include "store/envelope.h"
#include "store/sort_key.h"
#include "store/table_row.h"
#include "store/value_key.h"

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
    const ChangeInRecord change = TakeCheckedChange(rest);
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

Result<void> AccountState::Install(const std::optional<Bytes>& value,
                                   const Progress& asked_at,
                                   bool is_log_known) {
  const bool is_known = manifest_value_ ? value == *manifest_value_ : !value;
  if (is_known) {
    is_behind_ = false;
    return {};
  }
  if (!value && asked_at.manifest_version == 0) return {};
  if (!value && is_log_known) {
    return Named(ValueKey::Manifest(),
                 Error(ErrorCode::kStorageDamaged, "The manifest is missing."));
  }
  if (!value) {
    is_behind_ = true;  // Only the log can tell whether the store is gone.
    return {};
  }
  ENTITABLE_TRY(Manifest manifest, ReadManifest(*value));
  if (manifest.store_id != manifest_.store_id) return IsAnotherStore();
  const bool is_fork = manifest.version == manifest_.version;
  if (manifest.version < asked_at.manifest_version || is_fork) {
    return Damaged(
        "The manifest fell back to an older version while the store was open.");
  }
  if (manifest.version < manifest_.version) return {};
  is_behind_ =
      !is_log_known && manifest.needs > std::max(head_, manifest.number);
  if (is_behind_) return {};
  manifest_ = std::move(manifest);
  manifest_value_ = Share(*value);
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
