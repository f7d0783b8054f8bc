// sort_key.h - a place in the order of all entities, as bytes.
//
// Pages, directories and the memtable know entities by these bytes alone: their
// plain order (memcmp) is that of (table id, PartitionKey, RowKey), the keys by
// UTF-16 code units.

#ifndef ENTITABLE_STORE_SORT_KEY_H_
#define ENTITABLE_STORE_SORT_KEY_H_

#include <optional>
#include <string>
#include <string_view>

#include "model/entity_key.h"
#include "model/key_range.h"
#include "store/change.h"

namespace entitable {

//   sort key = table text 00 text
//   table    = n:u8, then the n bytes of the id, the highest first, without
//              leading zeros
//   text     = UTF-8 in which 00 is written 01 01 and 01 is written 01 02, so
//              that the 00 ends it, and EE and EF are written FE and FF, so
//              that U+E000 to U+FFFF come after the surrogate pairs of UTF-16
std::string MakeSortKey(TableId table, EntityKeyView key);

// All of it that comes behind the table.
void AppendSortTexts(EntityKeyView key, std::string& out);

// The text of the grammar: in its plain order, too.
std::string MakeSortText(std::string_view utf8);

// The UTF-8 of such a text: the bytes themselves, where nothing in them is
// written otherwise, or in `room`; nothing when they do not follow the grammar.
std::optional<std::string_view> ReadSortText(std::string_view text,
                                             std::string& room);

// The parts of a sort key, the table as it is written; of bytes that are none,
// anything within them.
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

// Nothing when the bytes do not follow the grammar.
std::optional<TableKey> ParseSortKey(std::string_view sort_key);

// The same into what is there, for many keys one after another.
bool ParseSortKey(std::string_view sort_key, TableKey& parsed);

// From the first place on, up to the second and without it.
struct SortRange {
  std::string begin;
  std::string end;

  bool operator==(const SortRange&) const = default;
};

// The entities of a table that are in the range; all that it has.
SortRange MakeSortRange(TableId table, const KeyRange& range);
SortRange WholeTable(TableId table);

}  // namespace entitable

#endif  // ENTITABLE_STORE_SORT_KEY_H_
