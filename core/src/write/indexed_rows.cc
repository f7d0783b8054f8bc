#include "write/indexed_rows.h"

#include <optional>
#include <string>
#include <utility>

#include "base/heap_sort.h"
#include "model/entity.h"
#include "model/index_entry.h"

namespace entitable {
namespace {

using Entries = std::vector<std::string>;

void PutEntry(Staging& staging, const TableIndex& index,
              const std::string& entry, EntityKeyView key, const Entity& copy) {
  staging.Put(index.id, {entry, key.row_key}, copy);
}

// Stages the difference, by a walk through both lists in their order.  An entry
// that stays is not written again, unless it has copies: most updates leave
// most indexed values as they are.  While an index is built, it may have no
// entries of the row before.  To delete these does nothing.
void ChangeEntries(Staging& staging, const TableIndex& index, EntityKeyView key,
                   Entries before, Entries after, const Entity& copy) {
  HeapSort(before);
  HeapSort(after);
  auto old = before.begin();
  for (const std::string& entry : after) {
    for (; old != before.end() && *old < entry; ++old) {
      staging.Delete(index.id, {*old, key.row_key});
    }
    const bool stays = old != before.end() && *old == entry;
    if (stays) ++old;
    if (!stays || index.is_covering()) {
      PutEntry(staging, index, entry, key, copy);
    }
  }
  for (; old != before.end(); ++old) {
    staging.Delete(index.id, {*old, key.row_key});
  }
}

bool HasSameText(const IndexTerm& term, std::string_view before,
                 std::string_view after) {
  std::string old_room;
  std::string room;
  const auto old = IndexedText(term, before, old_room);
  return old && old == IndexedText(term, after, room);
}

// Null: the row is deleted.
Poll<void> ChangeIndexes(Staging& staging, const Table& table,
                         EntityKeyView key, const EntityView* row,
                         RowBefore before) {
  if (table.indexes.empty()) return {};
  std::optional<EntityView> stored;
  if (before == RowBefore::kAny) {
    ENTITABLE_TRY(stored, staging.FindEntity(table.id, key,
                                             StoredRows::Part::kProperties));
  }
  std::vector<Entries> old(table.indexes.size());
  std::vector<Entries> made(old.size());
  std::vector<Entity> copies(old.size());
  // The views end with the first change.
  for (std::size_t i = 0; i < old.size(); ++i) {
    const TableIndex& index = table.indexes[i];
    // To split the same text twice takes long, and changes nothing.
    const bool is_same =
        stored && row != nullptr && index.is_words() &&
        HasSameText(index.terms.front(), stored->properties, row->properties);
    if (is_same) continue;
    if (stored) old[i] = IndexEntriesOf(index.terms, key, stored->properties);
    if (!row) continue;
    made[i] = IndexEntriesOf(index.terms, key, row->properties);
    copies[i] = CopyOf(index.terms, index.copies, *row);
  }
  for (std::size_t i = 0; i < old.size(); ++i) {
    ChangeEntries(staging, table.indexes[i], key, std::move(old[i]),
                  std::move(made[i]), copies[i]);
  }
  return {};
}

}  // namespace

Poll<void> PutRow(Staging& staging, const Table& table, EntityKeyView key,
                  const EntityView& row, RowBefore before, Origin origin) {
  ENTITABLE_TRY(ChangeIndexes(staging, table, key, &row, before));
  staging.Put(table.id, key, row, origin);
  return {};
}

Poll<void> DeleteRow(Staging& staging, const Table& table, EntityKeyView key,
                     Origin origin) {
  ENTITABLE_TRY(ChangeIndexes(staging, table, key, nullptr, RowBefore::kAny));
  staging.Delete(table.id, key, origin);
  return {};
}

std::size_t PutEntries(Staging& staging, const TableIndex& index,
                       EntityKeyView key, const EntityView& row) {
  const Entries entries = IndexEntriesOf(index.terms, key, row.properties);
  const Entity copy = CopyOf(index.terms, index.copies, row);
  for (const std::string& entry : entries) {
    PutEntry(staging, index, entry, key, copy);
  }
  return entries.size();
}

// The entries go with their tables, without a search for any of them.
std::vector<TableIndex> EmptyIndexes(Staging& staging, const Table& table) {
  std::vector<TableIndex> empty;
  for (const TableIndex& index : table.indexes) {
    const TableId id = staging.next_table_id();
    staging.Add(TableDropped{index.id, IndexTableName(table.name, index.id)});
    staging.Add(TableCreated{id, IndexTableName(table.name, id)});
    empty.push_back({.id = id, .terms = index.terms, .copies = index.copies});
  }
  return empty;
}

}  // namespace entitable
