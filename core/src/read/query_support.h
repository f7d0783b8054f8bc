// query_support.h - functions for several queries.

#ifndef ENTITABLE_READ_QUERY_SUPPORT_H_
#define ENTITABLE_READ_QUERY_SUPPORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/poll.h"
#include "base/work_budget.h"
#include "model/column.h"
#include "model/entity_key.h"
#include "read/query.h"
#include "read/read_request.h"
#include "store/lookup.h"
#include "store/scan.h"
#include "store/sort_key.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {

// The columns of some properties in one page after another.

// A page is the same as before if both its number and its columns are: a number
// alone could be that of a page that was dropped and read again.
class PageColumns {
 public:
  // The keys have no columns.
  explicit PageColumns(std::vector<std::string> names)
      : names_(std::move(names)), columns_(names_.size()) {}

  // Finds the columns of a page, unless it is the same as before.
  void Use(std::uint64_t page, std::span<const Column> columns) {
    if (page == page_ && columns.data() == first_) return;
    page_ = page;
    first_ = columns.data();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      columns_[i].clear();
      for (const Column& column : columns) {
        if (column.name == names_[i]) columns_[i].push_back(&column);
      }
    }
  }

  // The column with the value of a row of the page; null if it has none.
  const Column* Find(std::size_t name, std::size_t row) const {
    for (const Column* column : columns_[name]) {
      if (column->Has(row)) return column;
    }
    return nullptr;
  }

  // The columns with the property, one for each of its types.
  std::span<const Column* const> Of(std::size_t name) const {
    return columns_[name];
  }

  const std::string& name(std::size_t i) const { return names_[i]; }
  std::size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
  std::uint64_t page_ = 0;
  const Column* first_ = nullptr;
  // By name.  A property has a column for each of its types.
  std::vector<std::vector<const Column*>> columns_;
};

// --------------------------------------------------------------- query support

Failure DamagedRow();

// Whether a scan has found a row; if not, it is at its end.
Poll<bool> HasRow(Scan::Step step);

PayloadContext ContextOf(const OwnedAnswerForm& form, std::string_view table,
                         const Projection& projection,
                         const EngineOptions& options);

void AddValues(const PayloadContext& context, EntityKeyView key,
               const EntityPlace& place, ValuesWriter& values);

// The same as JSON; `rows` writes those of pages.
void AddJson(const PayloadContext& context, EntityKeyView key,
             const EntityPlace& place, PageRowsWriter& rows, std::string& json);

// The least key at or after a position from Scan::Position(), for a
// continuation token.  Nothing if there is no such key.
std::optional<EntityKey> KeyAt(std::string_view place);

// The key ranges of a table.
std::vector<SortRange> SortRangesOf(TableId table,
                                    const std::vector<KeyRange>& ranges);

// Fails with `missing` if there is no such table.  Valid until the next search.
Poll<const Table*> FindTable(std::string_view name, ErrorCode missing,
                             const QueryContext& context, PageWindow& window);

// Asks for the pages of rows that follow in an order, which may be any pages,
// so that they are fetched together.  `sort_key_of` gives the sort key of row
// i. Row 0 has asked already.
//
// A row that is missing now would be missing when its turn comes, one fetch
// later.  So all are asked for, until the window is full.
template <typename SortKeyOf>
void AskForOthers(std::size_t count, SortKeyOf sort_key_of,
                  const QueryContext& context, PageWindow& window) {
  EntityPlace place;
  for (std::size_t i = 1; i < count && window.MakeRoom(); ++i) {
    FindRow(context.state, sort_key_of(i), window, place);
    context.work.Spend(kUnitsPerKeySearch);
  }
}

// Looks up row 0 of such rows, and returns whether it is there.  The others are
// asked for only if its pages are missing.
template <typename SortKeyOf>
Poll<bool> FindFirst(std::string_view sort_key, std::size_t count,
                     SortKeyOf sort_key_of, const QueryContext& context,
                     PageWindow& window, EntityPlace& place) {
  window.MakeRoom();
  const Presence presence = FindRow(context.state, sort_key, window, place);
  if (presence == Presence::kUnknown) {
    AskForOthers(count, sort_key_of, context, window);
    return Pending::kPages;
  }
  context.work.Spend(kUnitsPerKeySearch);
  return presence == Presence::kThere;
}

}  // namespace entitable

#endif  // ENTITABLE_READ_QUERY_SUPPORT_H_
