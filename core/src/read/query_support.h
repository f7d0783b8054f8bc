// query_support.h - functions for several queries.

#ifndef ENTITABLE_READ_QUERY_SUPPORT_H_
#define ENTITABLE_READ_QUERY_SUPPORT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/work_budget.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "read/query.h"
#include "read/read_request.h"
#include "store/lookup.h"
#include "store/sort_key.h"
#include "wire/entity_writer.h"
#include "wire/values_writer.h"

namespace entitable {

// Returned instead of an answer if pages are missing.
Failure PagesMissing();

Failure DamagedRow();

PayloadContext ContextOf(const OwnedAnswerForm& form, std::string_view table,
                         const Projection& projection,
                         const EngineOptions& options);

void AddValues(const PayloadContext& context, EntityKeyView key,
               const EntityPlace& place, ValuesWriter& values);

// The same as JSON; `rows` writes those of pages.
void AddJson(const PayloadContext& context, EntityKeyView key,
             const EntityPlace& place, PageRowsWriter& rows, std::string& json);

// The least key at or after a position from Scan::Place(), for a continuation
// token.  Nothing if there is no such key.
std::optional<EntityKey> KeyAt(std::string_view place);

// The key ranges of a table.
std::vector<SortRange> SortRangesOf(TableId table,
                                    const std::vector<KeyRange>& ranges);

// Fails with `missing` if there is no such table.  Valid until the next search.
Result<const Table*> FindTable(std::string_view name, ErrorCode missing,
                               const QueryContext& context, PageWindow& window);

// Asks for the pages of rows that follow in an order, which may be any pages,
// so that they are fetched together.  `sort_key_of` gives the sort key of row
// i. Row 0 has asked already.
template <typename SortKeyOf>
void AskForOthers(std::size_t count, SortKeyOf sort_key_of,
                  const QueryContext& context, PageWindow& window) {
  EntityPlace place;
  for (std::size_t i = 1; i < count && window.MakeRoom(); ++i) {
    FindRow(context.state, sort_key_of(i), window, place);
    context.work.Spend(kUnitsPerKeySearch);
  }
}

}  // namespace entitable

#endif  // ENTITABLE_READ_QUERY_SUPPORT_H_
