// query_support.h - what several queries need.

#ifndef ENTITABLE_ENGINE_QUERY_SUPPORT_H_
#define ENTITABLE_ENGINE_QUERY_SUPPORT_H_

#include <optional>
#include <string_view>

#include "engine/query.h"
#include "engine/request.h"
#include "entitable/result.h"
#include "model/entity_key.h"
#include "model/entity_writer.h"
#include "model/values_writer.h"
#include "store/entity_place.h"

namespace entitable {

// What stands in for an answer that pages lack for.
Failure PagesMissing();

Failure DamagedRow();

PayloadContext ContextOf(const AnswerForm& form, std::string_view table,
                         const Projection& projection,
                         const EngineOptions& options);

void AddValues(const PayloadContext& context, EntityKeyView key,
               const EntityPlace& place, ValuesWriter& values);

// The least key that is not before a place of Scan::Place(): for a continuation
// token.  Nothing where no key is.
std::optional<EntityKey> KeyAt(std::string_view place);

// Fails with `missing` when there is none.  Good until another is looked for.
Result<const Table*> FindTable(std::string_view name, ErrorCode missing,
                               const QueryContext& context, PageWindow& window);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_QUERY_SUPPORT_H_
