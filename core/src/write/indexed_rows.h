// indexed_rows.h - changes of rows, with the entries of the table's indexes.
//
// Every change of a user's row goes through here, so that its entries are
// stored by the same commit.
//
// An index is a hidden table.  Each of its rows is an entry, and leads to one
// entity:
//
//   PartitionKey   the values of the terms, or a word and its counts; and the
//                  PartitionKey of the entity
//   RowKey         the RowKey of the entity
//   properties     none; in a covering index, some of the entity
//
// Which entries an entity has follows from its key and properties alone
// (IndexEntriesOf()).  So a change needs the row as it was, makes the entries
// of before and after, and stages the difference.  Those of a covering index
// have the timestamp of the entity, so each change writes them again.

#ifndef ENTITABLE_WRITE_INDEXED_ROWS_H_
#define ENTITABLE_WRITE_INDEXED_ROWS_H_

#include <cstddef>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "store/table_row.h"
#include "write/staging.h"

namespace entitable {

// What is known of the row before.
enum class RowBefore : bool { kAny, kAbsent };

// Stages the row, as Staging does.  Fails and waits as a search for the row
// does.
Poll<void> PutRow(Staging& staging, const Table& table, EntityKeyView key,
                  const EntityView& row, RowBefore before = RowBefore::kAny,
                  Origin origin = Origin::kLocal);
Poll<void> DeleteRow(Staging& staging, const Table& table, EntityKeyView key,
                     Origin origin = Origin::kLocal);

// Stages the entries of a row that was there before its index.  Returns how
// many there are.
std::size_t PutEntries(Staging& staging, const TableIndex& index,
                       EntityKeyView key, const EntityView& row);

// The indexes of a table from which all rows are removed at once: empty ones
// take the place of the old ones.
std::vector<TableIndex> EmptyIndexes(Staging& staging, const Table& table);

}  // namespace entitable

#endif  // ENTITABLE_WRITE_INDEXED_ROWS_H_
