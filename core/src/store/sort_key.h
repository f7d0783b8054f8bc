// sort_key.h - the position of an entity in the order of all entities, as
// bytes.
//
// Pages, directory pages and the memtable identify entities by these bytes.
// Their byte order (memcmp) is the order of (table id, PartitionKey, RowKey),
// where keys compare by UTF-16 code units.

#ifndef ENTITABLE_STORE_SORT_KEY_H_
#define ENTITABLE_STORE_SORT_KEY_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/sort_text.h"
#include "model/entity_key.h"
#include "store/change.h"

namespace entitable {

//   sort key = table text 00 text
//   table    = n:u8, then the n bytes of the id, the highest first, without
//              leading zeros
//   text     = see base/sort_text.h
std::string MakeSortKey(TableId table, EntityKeyView key);
void AppendSortKey(TableId table, EntityKeyView key, std::string& out);

// Appends the part of the sort key behind the table.
void AppendSortTexts(EntityKeyView key, std::string& out);

// The parts of a sort key; the table in its encoded form.  For invalid bytes,
// the views are arbitrary but within the bytes.
struct SortTexts {
  std::string_view table;
  std::string_view partition_key;
  std::string_view row_key;
};
SortTexts TextsOf(std::string_view sort_key);

struct TableKey {
  TableId table;
  EntityKey key;
};

// Nothing if the bytes do not follow the grammar.
std::optional<TableKey> ParseSortKey(std::string_view sort_key);

// The same for many keys, one after another.  Keys in their order usually have
// the PartitionKey of the key before, which is then not parsed again.
class SortKeyParser {
 public:
  // Returns false if the bytes do not follow the grammar.
  bool Parse(std::string_view sort_key);

  // The last key, after Parse() has returned true.
  const TableKey& parsed() const { return parsed_; }

 private:
  std::string head_;  // What precedes the RowKey.  Empty: nothing is known.
  TableKey parsed_{};
};

// From the first key up to the second, without the second.
struct SortRange {
  std::string begin;
  std::string end;

  bool operator==(const SortRange&) const = default;
};

// The entities of a table in the key range; or all entities of the table.
SortRange MakeSortRange(TableId table, const KeyRange& range);
SortRange WholeTable(TableId table);

}  // namespace entitable

#endif  // ENTITABLE_STORE_SORT_KEY_H_
