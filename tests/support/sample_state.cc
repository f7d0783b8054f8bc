#include "support/sample_state.h"

#include <utility>
#include <vector>

#include "store/directory_page.h"
#include "store/leaf_page.h"
#include "store/sort_key.h"

namespace entitable {
namespace {

std::int32_t NumberOf(std::string_view properties) {
  return FindProperty(properties, "N")->int32();
}

void AddRowsOf(const Bytes& page, SampleRows& rows) {
  const auto leaf = LeafPage::Decode(page);
  std::string key;
  for (std::size_t row = 0; row < leaf->row_count(); ++row) {
    leaf->KeyOf(row, key);
    std::optional<std::int32_t>& number = rows[key];
    if (!leaf->is_tombstone(row)) {
      number = NumberOf(leaf->PropertiesOf(row).bytes());
    }
  }
}

}  // namespace

LogRecord RecordOf(const AccountState& state, const SampleRows& rows) {
  LogRecord record{
      {.previous_crc = state.head_crc(), .number = state.head() + 1}};
  for (const auto& [sort_key, number] : rows) {
    const TableKey place = *ParseSortKey(sort_key);
    if (number) {
      record.changes.push_back(
          EntityPut{place.table, place.key, NumberedEntity(*number)});
    } else {
      record.changes.push_back(EntityDeleted{place.table, place.key});
    }
  }
  return record;
}

SampleRows RowsIn(const Run& run, const MemoryStorage& storage) {
  SampleRows rows;
  for (const PageEntry& above : run.directories) {
    const auto directory =
        DirectoryPage::Decode(storage.values().at(ValueKey::Page(above.page)));
    const std::vector<PageEntry>& leaves = directory->leaves;
    for (std::size_t i = FindPageEntry(leaves, run.begin); i < leaves.size();
         ++i) {
      AddRowsOf(storage.values().at(ValueKey::Page(leaves[i].page)), rows);
    }
  }
  rows.erase(rows.begin(), rows.lower_bound(run.begin));
  return rows;
}

SampleRows LiveRows(SampleRows rows) {
  std::erase_if(rows, [](const auto& row) { return !row.second; });
  return rows;
}

SampleRows LiveRowsOf(const AccountState& state, const MemoryStorage& storage) {
  std::vector<SampleRows> all(1);
  for (const auto& [key, row] : state.memtable().rows()) {
    std::optional<std::int32_t>& number = all.front()[key];
    if (row.entity) number = NumberOf(row.entity->properties);
  }
  for (const Run& run : state.manifest().runs) {
    all.push_back(RowsIn(run, storage));
  }
  return LiveRows(NewestOf(all));
}

}  // namespace entitable
