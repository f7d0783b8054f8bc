// table_row.h - the catalogue: tables as rows of a table of their own.
//
// So a million tables cost opening nothing, and reading, folding and merging
// know only one kind of thing.

#ifndef ENTITABLE_STORE_TABLE_ROW_H_
#define ENTITABLE_STORE_TABLE_ROW_H_

#include <optional>
#include <string>
#include <string_view>

#include "base/date_time.h"
#include "model/entity.h"
#include "model/entity_key.h"
#include "store/change.h"

namespace entitable {

// The table of the tables; those of the user begin at 1.
inline constexpr TableId kCatalogue = 0;

struct Table {
  TableId id;
  std::string name;  // As first written.
};

// Before all tables, and like none of them, for it has a row key: the row of
// what the account itself is set to.
inline constexpr EntityKeyView kAccountKey{{}, "Account"};

// The first place in the catalogue behind that row, where tables begin.
inline constexpr EntityKeyView kFirstTable{" ", {}};

// The sort key of a table's row.  `name` in any case; it may be any text.
std::string TableRowKey(std::string_view name);

// A row's PartitionKey is the folded name, its RowKey is empty.
Entity MakeTableRow(const Table& table);

// Of the catalogue: the row of the table, or of the account, with other
// settings than `before` where `given` has any (model/settings.h).
Change SettingsChange(EntityKeyView key, const PropertyList& before,
                      const PropertyList& given, DateTime timestamp);

// The sort key is that of TableRowKey().
EntityKey TableRowEntityKey(std::string_view name);

// The access policies in a row of a table: a view of the list.
std::string_view PoliciesOf(const PropertyList& row);

// Nothing when the entity is no such row.
std::optional<Table> ReadTableRow(const Entity& row);

}  // namespace entitable

#endif  // ENTITABLE_STORE_TABLE_ROW_H_
