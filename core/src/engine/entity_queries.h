// entity_queries.h - the reads that go through the entities of a table.
//
// Source: operations of the spec, section 2.7; query, 3.7, 3.8.  Counting is
// beyond the service.

#ifndef ENTITABLE_ENGINE_ENTITY_QUERIES_H_
#define ENTITABLE_ENGINE_ENTITY_QUERIES_H_

#include <memory>

#include "engine/query.h"
#include "engine/request.h"
#include "store/page_cache.h"

namespace entitable {

std::unique_ptr<Query> MakeEntityQuery(QueryEntities request, PageCache& cache);

std::unique_ptr<Query> MakeCountQuery(CountEntities request, PageCache& cache);

}  // namespace entitable

#endif  // ENTITABLE_ENGINE_ENTITY_QUERIES_H_
