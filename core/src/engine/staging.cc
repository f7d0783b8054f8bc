#include "engine/staging.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "store/sort_key.h"

namespace entitable {
namespace {

// Empty if the change does not change a single row.
std::string SortKeyOf(const Change& change) {
  if (const auto* put = std::get_if<EntityPut>(&change)) {
    return MakeSortKey(put->table, put->key.view());
  }
  if (const auto* deleted = std::get_if<EntityDeleted>(&change)) {
    return MakeSortKey(deleted->table, deleted->key.view());
  }
  if (const auto* created = std::get_if<TableCreated>(&change)) {
    return TableRowKey(created->name);
  }
  if (const auto* dropped = std::get_if<TableDropped>(&change)) {
    return TableRowKey(dropped->name);
  }
  return {};
}

}  // namespace

Staging::Staging(const AccountState& state, StoredRows& stored)
    : state_(state),
      stored_(stored),
      next_table_(state.next_table()),
      last_timestamp_(state.last_timestamp()) {}

Result<std::optional<Table>> Staging::FindTable(std::string_view name) const {
  const std::string sort_key = TableRowKey(name);
  if (const Change* change = FindStaged(sort_key)) {
    if (const auto* created = std::get_if<TableCreated>(change)) {
      return std::optional(Table{created->table, created->name});
    }
    const auto* put = std::get_if<EntityPut>(change);
    return put == nullptr ? std::nullopt : ReadTableRow(put->entity);
  }
  ENTITABLE_TRY(const Entity* row,
                stored_.Find(state_, sort_key, StoredRows::Part::kProperties));
  if (row == nullptr) return std::optional<Table>();
  auto table = ReadTableRow(*row);
  if (!table) return Fail(ErrorCode::kStorageDamaged);
  return table;
}

Result<const Entity*> Staging::FindEntity(TableId table, EntityKeyView key,
                                          StoredRows::Part part) const {
  const std::string sort_key = MakeSortKey(table, key);
  if (const Change* change = FindStaged(sort_key)) {
    const auto* put = std::get_if<EntityPut>(change);
    return put == nullptr ? nullptr : &put->entity;
  }
  return stored_.Find(state_, sort_key, part);
}

const Change* Staging::FindStaged(std::string_view sort_key) const {
  const std::size_t row = rows_.Find(sort_key);
  return row == KeyTable::kNone ? nullptr : &changes_[newest_[row]];
}

Result<DateTime> Staging::NextTimestamp(DateTime now) const {
  if (last_timestamp_ >= kMaxDateTime) return Fail(ErrorCode::kStorageDamaged);
  return std::max(now, DateTime{last_timestamp_.ticks + 1});
}

void Staging::Stage(std::vector<Change> changes, DateTime timestamp) {
  std::size_t bytes = 0;
  for (const Change& change : changes) bytes += MaxEncodedSize(change);
  is_full_ |= !changes_.empty() && record_bytes_ + bytes > kMaxRecordBytes;
  if (is_full_) return;
  record_bytes_ += bytes;
  last_timestamp_ = std::max(last_timestamp_, timestamp);
  for (Change& change : changes) {
    Note(change);
    changes_.push_back(std::move(change));
  }
}

// Makes the next change visible to the following requests of the same commit.
void Staging::Note(const Change& change) {
  if (const auto* created = std::get_if<TableCreated>(&change)) {
    next_table_ = created->table + 1;
  }
  const std::size_t row = rows_.FindOrAdd(SortKeyOf(change));
  if (row == newest_.size()) newest_.emplace_back();
  newest_[row] = changes_.size();
}

}  // namespace entitable
