// write.h - the operations that write.
//
// Source: operations of the spec, sections 2.8, 2.9, 2.11, 2.12, 2.14 and 2.15.

#ifndef ENTITABLE_WRITE_WRITE_H_
#define ENTITABLE_WRITE_WRITE_H_

#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/engine.h"
#include "entitable/result.h"
#include "model/entity.h"
#include "store/store.h"
#include "store/table_row.h"
#include "write/staging.h"
#include "write/write_request.h"

namespace entitable {

// Stages the changes of a write request and returns the answer that is sent
// once they are stored.  A request that fails stages nothing.  Nor does one
// whose rows are pending: it has asked for as many of them as it knows.  The
// result does not depend on earlier evaluations.
Poll<Response> Execute(const WriteRequest& request, DateTime now,
                       const EngineOptions& options, Staging& staging);

// Stages the changes of the writes of entities, which all get this timestamp
// and so one ETag, but neither ends nor undoes them.
//
// No key occurs twice in a request, so no operation needs to see another one.
Poll<Response> StageEntities(const WriteEntitiesRequest& request,
                             DateTime timestamp, const EngineOptions& options,
                             Staging& staging);

// Whether an app may write to the table.  Fails with TableReadOnly, and with
// TableSynced if this program could not mark what it writes.
//
// A write to a synced table without a mark would never be pushed.
Result<void> CheckWritable(const Table& table, const EngineOptions& options);

// The changes that set properties of the account.
Poll<std::vector<Change>> AccountChange(const PropertyList& given,
                                        DateTime timestamp,
                                        const Staging& staging);

}  // namespace entitable

#endif  // ENTITABLE_WRITE_WRITE_H_
