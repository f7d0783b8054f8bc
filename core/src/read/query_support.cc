#include "read/query_support.h"

#include <utility>

#include "store/lookup.h"
#include "store/sort_key.h"

namespace entitable {

Failure DamagedRow() {
  return Fail(ErrorCode::kStorageDamaged,
              "A stored row has an invalid format.");
}

Poll<bool> HasRow(Scan::Step step) {
  switch (step) {
    case Scan::Step::kRow:
      return true;
    case Scan::Step::kEnd:
      break;
    case Scan::Step::kWaiting:
      return Pending::kPages;
    case Scan::Step::kPaused:
      return Pending::kSlice;
  }
  return false;
}

PayloadContext ContextOf(const OwnedAnswerForm& form, std::string_view table,
                         const Projection& projection,
                         const EngineOptions& options) {
  PayloadContext context = form.ContextFor(options, table);
  context.raw_select = projection.raw;
  if (!projection.select.is_all()) context.select = &projection.select.names();
  return context;
}

void AddValues(const PayloadContext& context, EntityKeyView key,
               const EntityPlace& place, ValuesWriter& values) {
  if (place.in_memory != nullptr) {
    values.Add(context, key, *place.in_memory);
  } else {
    values.Add(context, key, place.page_row());
  }
}

void AddJson(const PayloadContext& context, EntityKeyView key,
             const EntityPlace& place, PageRowsWriter& rows,
             std::string& json) {
  if (place.in_memory != nullptr) {
    AppendEntityElement(context, key, *place.in_memory, json);
  } else {
    rows.Append(context, key, place.page_row(), json);
  }
}

std::optional<EntityKey> KeyAt(std::string_view place) {
  auto at = ParseSortKey(place);
  if (!at && place.ends_with('\0')) {
    // The place is directly behind a row: its key followed by U+0000.  No
    // string lies between the two, and no key contains U+0000.
    place.remove_suffix(1);
    at = ParseSortKey(place);
    if (at) at->key.row_key.push_back('\0');
  }
  if (!at) return std::nullopt;
  return std::move(at->key);
}

std::vector<SortRange> SortRangesOf(TableId table,
                                    const std::vector<KeyRange>& ranges) {
  std::vector<SortRange> of_table;
  of_table.reserve(ranges.size());
  for (const KeyRange& range : ranges) {
    of_table.push_back(MakeSortRange(table, range));
  }
  return of_table;
}

Poll<const Table*> FindTable(std::string_view name, ErrorCode missing,
                             const QueryContext& context, PageWindow& window) {
  LastTable& last = context.last_table;
  const bool is_known = last.version == context.state.version() &&
                        last.name == name && last.table.id != kNoTable;
  if (is_known) return &last.table;
  if (IsHiddenTable(name)) return Fail(missing);
  EntityPlace row;
  switch (FindRow(context.state, TableRowKey(name), window, row)) {
    case Presence::kUnknown:
      return Pending::kPages;
    case Presence::kNotThere:
      return Fail(missing);
    case Presence::kThere:
      break;
  }
  auto table = ReadTableRow(row.Decode());
  if (!table) return DamagedRow();
  std::erase_if(table->indexes, [&](const TableIndex& index) {
    return !context.state.checkpoint().IsSound(index.id);
  });
  last = {context.state.version(), std::string(name), *std::move(table)};
  return &last.table;
}

}  // namespace entitable
