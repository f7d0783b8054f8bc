#include "engine/indexed_rows.h"

#include <algorithm>
#include <optional>
#include <string>

#include "model/index_entry.h"

namespace entitable {
namespace {

using Entries = std::vector<std::string>;

bool Has(const Entries& entries, const std::string& entry) {
  return std::ranges::find(entries, entry) != entries.end();
}

void PutEntry(Staging& staging, const TableIndex& index,
              const std::string& entry, EntityKeyView key, DateTime timestamp) {
  staging.Put(index.id, {entry, key.row_key}, {timestamp, {}});
}

// Stages the difference.  An index that is being built may lack the entries of
// the row before; then their deletions do nothing.
void ChangeEntries(Staging& staging, const TableIndex& index, EntityKeyView key,
                   const Entries& before, const Entries& after,
                   DateTime timestamp) {
  for (const std::string& entry : before) {
    if (!Has(after, entry)) staging.Delete(index.id, {entry, key.row_key});
  }
  for (const std::string& entry : after) {
    if (!Has(before, entry)) PutEntry(staging, index, entry, key, timestamp);
  }
}

// Null: the row is deleted.
Result<void> ChangeIndexes(Staging& staging, const Table& table,
                           EntityKeyView key, const EntityView* row,
                           RowBefore before) {
  if (table.indexes.empty()) return {};
  std::vector<Entries> old(table.indexes.size());
  if (before == RowBefore::kAny) {
    ENTITABLE_TRY(
        const auto stored,
        staging.FindEntity(table.id, key, StoredRows::Part::kProperties));
    // The view ends with the first change.
    for (std::size_t i = 0; stored && i < old.size(); ++i) {
      old[i] = IndexEntriesOf(table.indexes[i].terms, key, stored->properties);
    }
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    const TableIndex& index = table.indexes[i];
    const Entries made =
        row ? IndexEntriesOf(index.terms, key, row->properties) : Entries();
    ChangeEntries(staging, index, key, old[i], made,
                  row ? row->timestamp : DateTime());
  }
  return {};
}

}  // namespace

Result<void> PutRow(Staging& staging, const Table& table, EntityKeyView key,
                    const EntityView& row, RowBefore before, Origin origin) {
  ENTITABLE_TRY(ChangeIndexes(staging, table, key, &row, before));
  staging.Put(table.id, key, row, origin);
  return {};
}

Result<void> DeleteRow(Staging& staging, const Table& table, EntityKeyView key,
                       Origin origin) {
  ENTITABLE_TRY(ChangeIndexes(staging, table, key, nullptr, RowBefore::kAny));
  staging.Delete(table.id, key, origin);
  return {};
}

void PutEntries(Staging& staging, const TableIndex& index, EntityKeyView key,
                const EntityView& row) {
  for (const std::string& entry :
       IndexEntriesOf(index.terms, key, row.properties)) {
    PutEntry(staging, index, entry, key, row.timestamp);
  }
}

std::vector<TableIndex> EmptyIndexes(Staging& staging, const Table& table) {
  std::vector<TableIndex> empty;
  for (const TableIndex& index : table.indexes) {
    const TableId id = staging.next_table_id();
    staging.Add(TableDropped{index.id, IndexTableName(table.name, index.id)});
    staging.Add(TableCreated{id, IndexTableName(table.name, id)});
    empty.push_back({id, index.terms});
  }
  return empty;
}

}  // namespace entitable
