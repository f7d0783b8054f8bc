// query.h - what the reading operations answer.
//
// Source: operations of the spec, sections 2.6, 2.7 and 2.10; query, 3.7, 3.8.

#ifndef ENTITABLE_ENGINE_QUERY_H_
#define ENTITABLE_ENGINE_QUERY_H_

#include <cstdint>

#include "engine/request.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "store/account_state.h"

namespace entitable {

// Adds to `examined` how many entities it looked at.
Result<Response> Execute(const QueryRequest& request,
                         const EngineOptions& options,
                         const AccountState& state, std::uint64_t& examined);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_QUERY_H_
