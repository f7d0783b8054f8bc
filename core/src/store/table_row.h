// table_row.h - the catalogue: each table is a row of a special table.
//
// So opening an account with a million tables costs nothing extra, and reads,
// flushes and compactions handle only one kind of data.

#ifndef ENTITABLE_STORE_TABLE_ROW_H_
#define ENTITABLE_STORE_TABLE_ROW_H_

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "model/index_entry.h"
#include "store/change.h"

namespace entitable {

// The id of the catalogue.  The ids of users' tables begin at 1.
inline constexpr TableId kCatalogue = 0;

// No table.  The value of the catalogue, which is never what is meant there.
inline constexpr TableId kNoTable = 0;

// The progress of a build: entities up to `last` have entries.  Entities that
// were written since the declaration have theirs, too.
struct IndexBuild {
  std::optional<EntityKey> last = {};  // The last entity that is done.
};

// A declared index of a table.
struct TableIndex {
  TableId id;  // Of the hidden table with the entries.
  IndexTerms terms;
  std::optional<IndexBuild> build = {};  // Nothing: it is complete.
  IndexCopies copies = {};               // Of a covering index.

  bool is_words() const { return terms.front().is_words; }
  bool has_items() const {
    return std::ranges::any_of(terms, &IndexTerm::is_items);
  }
  bool is_covering() const { return !copies.is_empty(); }
  // Whether an entity may have many entries, or long ones.
  bool has_many() const { return is_words() || has_items() || is_covering(); }
  // Whether filters may use it; and orders, if it has no items.
  bool has_values() const { return !build && !is_words(); }
};

struct Table {
  TableId id;
  std::string name;  // As the user first wrote it.

  // As stored (model/schema.h); empty if there is none.
  std::string schema = {};

  // The table with the state of sync; kNoTable if the table is not synced.
  TableId sync = kNoTable;
  bool is_read_only = false;  // Only sync changes the rows.

  std::vector<TableIndex> indexes = {};
};

// Names of users' tables begin with a letter.
inline constexpr char kHiddenMark = '$';
inline bool IsHiddenTable(std::string_view name) {
  return name.starts_with(kHiddenMark);
}

// The key of the row with the account's settings.  It precedes all tables and
// differs from them by its RowKey.
inline constexpr EntityKeyView kAccountKey{{}, "Account"};

// The first key of the catalogue behind that row and behind hidden tables,
// where users' tables begin.
inline constexpr EntityKeyView kFirstTable{"0", {}};

// The sort key of a table's row.  `name` may be in any case, and any text.
std::string TableRowKey(std::string_view name);

// Without settings.  The PartitionKey of the row is the name in lower case; the
// RowKey is empty.
Entity MakeTableRow(const Table& table);

// The change that sets settings of a table or of the account: `given` replaces
// the settings of the same name in `before`, the bytes of a list
// (model/settings.h).
Change SettingsChange(EntityKeyView key, std::string_view before,
                      const PropertyList& given, DateTime timestamp);

// The properties of the row of a table that is synced, or no longer.
PropertyList WithSync(std::string_view row, TableId sync, bool is_read_only);

// The name of the hidden table of an index.
std::string IndexTableName(std::string_view table, TableId index);

// The properties of the row of a table that has these indexes.
PropertyList WithIndexes(std::string_view row,
                         const std::vector<TableIndex>& indexes);

// The key of the row; its sort key is TableRowKey().
EntityKey TableRowEntityKey(std::string_view name);

// The access policies, or the schema, in the properties of a table's row: a
// view of these bytes.
std::string_view PoliciesOf(std::string_view row);
std::string_view SchemaOf(std::string_view row);

// Nothing if the entity is not such a row.
std::optional<Table> ReadTableRow(const EntityView& row);

}  // namespace entitable

#endif  // ENTITABLE_STORE_TABLE_ROW_H_
