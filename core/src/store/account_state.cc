#include "store/account_state.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

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

Result<LogBase> ReadBase(const Bytes& value) {
  auto base = DecodeLogBase(value);
  if (!base) return Named(ValueKey::Base(), std::move(base).error());
  return base;
}

Result<Root> ReadRoot(const Bytes& value) {
  auto root = DecodeRoot(value);
  if (!root) return Named(ValueKey::Root(), std::move(root).error());
  return root;
}

Failure IsAnotherStore() { return Fail(ErrorCode::kStorageEvicted); }

}  // namespace

Result<std::unique_ptr<AccountState>> AccountState::Open(
    const Bytes& base, const std::optional<Bytes>& root) {
  std::unique_ptr<AccountState> state(new AccountState);
  ENTITABLE_TRY(state->base_, ReadBase(base));
  state->base_value_ = base;
  state->head_ = state->base_.number;
  state->head_crc_ = state->base_.crc;
  state->recent_.ForgetUpTo(state->head_);
  state->last_timestamp_ = state->base_.last_timestamp;
  state->root_.store_id = state->base_.store_id;
  ENTITABLE_TRY(state->AdoptRoot(root, state->progress()));
  if (state->root_.number != state->base_.number ||
      state->root_.crc != state->base_.crc) {
    return Named(ValueKey::Root(),
                 Damaged("The base of the log and the root do not agree."));
  }
  return state;
}

Result<void> AccountState::Apply(LogRecord record, const Bytes& value) {
  if (record.number != head_ + 1) return Damaged("The log has a gap.");
  if (record.previous_crc != head_crc_) {
    return Damaged("A record of the log does not continue the one before it.");
  }
  for (Change& change : record.changes) {
    if (!IsOfKnownTable(change)) {
      return Damaged("A record of the log names a table that was never made.");
    }
    std::visit([&](auto& one) { ApplyChange(one, record.number); }, change);
  }
  recent_.Trim();
  head_ = record.number;
  head_crc_ = EnvelopeCrc(value);
  last_timestamp_ = std::max(last_timestamp_, record.last_timestamp);
  tail_.push_back({head_, head_crc_, {record.session, record.commit}, value});
  tail_bytes_ += value.size();
  ++version_;
  return {};
}

bool AccountState::IsOfKnownTable(const Change& change) const {
  const TableId table =
      std::visit([](const auto& one) { return one.table; }, change);
  const bool is_new = std::holds_alternative<TableCreated>(change);
  if (table != kCatalogue) {
    return table < next_table_ || (is_new && table == next_table_);
  }
  const auto* put = std::get_if<EntityPut>(&change);
  if (put == nullptr) return false;
  if (put->key.view() == kAccountKey) return true;
  const auto row = ReadTableRow(put->entity);
  return row && row->id < next_table_ &&
         put->key == EntityKey{FoldTableName(row->name), {}};
}

void AccountState::ApplyChange(TableCreated& change, std::uint64_t number) {
  next_table_ = std::max(next_table_, change.table + 1);
  NoteTable(change.table, number);
  std::string key = TableRowKey(change.name);
  memtable_.Put(std::move(key),
                {number, MakeTableRow({change.table, change.name})});
}

void AccountState::ApplyChange(TableDropped& change, std::uint64_t number) {
  memtable_.Put(TableRowKey(change.name), {number, std::nullopt});
  memtable_.Erase(WholeTable(change.table));
  dropped_.push_back({number, change.table});
  NoteTable(change.table, number);
}

void AccountState::ApplyChange(EntityPut& change, std::uint64_t number) {
  PutRow(change.table, change.key, {number, std::move(change.entity)});
}

void AccountState::ApplyChange(EntityDeleted& change, std::uint64_t number) {
  PutRow(change.table, change.key, {number, std::nullopt});
}

void AccountState::NoteTable(TableId table, std::uint64_t number) {
  recent_.Note(number, table, WholeTable(table).begin);
}

void AccountState::PutRow(TableId table, const EntityKey& key, MemRow row) {
  std::string sort_key = MakeSortKey(table, key.view());
  recent_.Note(row.number, table, sort_key);
  memtable_.Put(std::move(sort_key), std::move(row));
}

// Its rows are in the pages of the root that came with the record.
void AccountState::ApplyChange(RangeLoaded& change, std::uint64_t number) {
  NoteTable(change.table, number);
  last_load_ = number;
}

Result<void> AccountState::AdoptBase(const std::optional<Bytes>& value,
                                     const Progress& asked_at) {
  if (value == base_value_) return {};
  if (!value) return IsAnotherStore();
  ENTITABLE_TRY(LogBase base, ReadBase(*value));
  if (base.store_id != base_.store_id) return IsAnotherStore();
  if (base.number < asked_at.base_number) {
    return Damaged("The store was set back while it was open.");
  }
  if (base.number < base_.number) return {};
  base_ = std::move(base);
  base_value_ = *value;
  ++version_;
  return {};
}

Result<void> AccountState::AdoptRoot(const std::optional<Bytes>& value,
                                     const Progress& asked_at) {
  return Adopt(value, asked_at, /*is_log_known=*/true);
}

Result<void> AccountState::AdoptRootAlone(const std::optional<Bytes>& value,
                                          const Progress& asked_at) {
  return Adopt(value, asked_at, /*is_log_known=*/false);
}

Result<void> AccountState::Adopt(const std::optional<Bytes>& value,
                                 const Progress& asked_at, bool is_log_known) {
  if (value == root_value_) {
    is_behind_ = false;
    return {};
  }
  if (!value && asked_at.epoch == 0) return {};
  if (!value && is_log_known) {
    return Named(ValueKey::Root(),
                 Error(ErrorCode::kStorageDamaged, "The root is missing."));
  }
  if (!value) {
    is_behind_ = true;  // The log knows whether the store is gone.
    return {};
  }
  ENTITABLE_TRY(Root root, ReadRoot(*value));
  if (root.store_id != root_.store_id) return IsAnotherStore();
  const bool is_fork = root.epoch == root_.epoch;
  if (root.epoch < asked_at.epoch || is_fork) {
    return Damaged("The pages were set back while they were open.");
  }
  if (root.epoch < root_.epoch) return {};
  is_behind_ = !is_log_known && root.needs > std::max(head_, root.number);
  if (is_behind_) return {};
  root_ = std::move(root);
  root_value_ = value;
  if (root_.number > head_) {
    head_ = root_.number;
    head_crc_ = root_.crc;
    recent_.ForgetUpTo(head_);
  }
  last_timestamp_ = std::max(last_timestamp_, root_.last_timestamp);
  next_table_ = std::max(next_table_, root_.next_table);
  ForgetWhatIsInPages();
  ++version_;
  ++root_version_;
  return {};
}

void AccountState::ForgetWhatIsInPages() {
  memtable_.Forget(root_.number);
  std::erase_if(tail_, [this](const TailRecord& record) {
    if (record.number > root_.number) return false;
    tail_bytes_ -= record.value.size();
    return true;
  });
  std::erase_if(dropped_, [this](const Dropped& dropped) {
    return dropped.number <= root_.number;
  });
}

}  // namespace entitable
