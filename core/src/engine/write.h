// write.h - what the writing operations do.
//
// Source: operations of the spec, sections 2.8, 2.9, 2.11, 2.12, 2.14 and 2.15.

#ifndef ENTITABLE_ENGINE_WRITE_H_
#define ENTITABLE_ENGINE_WRITE_H_

#include <vector>

#include "base/date_time.h"
#include "engine/request.h"
#include "engine/staging.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "store/change.h"

namespace entitable {

// Stages what the request, which is a write, changes, and returns what it is
// answered with once that is stored.  A request that fails has staged nothing.
// Neither depends on how often it was evaluated before.
Result<Response> Execute(const WriteRequest& request, DateTime now,
                         const EngineOptions& options, Staging& staging);

// What is to be staged where the account is set to something.
Result<std::vector<Change>> AccountChange(const PropertyList& given,
                                          DateTime timestamp,
                                          const Staging& staging);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_WRITE_H_
