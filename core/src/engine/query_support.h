// query_support.h - functions for several queries.

#ifndef ENTITABLE_ENGINE_QUERY_SUPPORT_H_
#define ENTITABLE_ENGINE_QUERY_SUPPORT_H_

#include <optional>
#include <string>
#include <string_view>

#include "engine/query.h"
#include "engine/read_request.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "store/entity_place.h"
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

// Fails with `missing` if there is no such table.  Valid until the next search.
Result<const Table*> FindTable(std::string_view name, ErrorCode missing,
                               const QueryContext& context, PageWindow& window);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_QUERY_SUPPORT_H_
