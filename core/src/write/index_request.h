// index_request.h - declares the indexes of a table, and builds them step by
// step.
//
//   declared --SetIndexesRequest--> building --continues, in steps--> complete
//
// The entries of rows that are there are made in the order of keys, those of up
// to 500 rows in a step.  The catalogue row keeps how far each build has come,
// and changes in the commit of its entries, so a build survives any crash.
// Writes change the entries of all indexes from the declaration on, also behind
// the place that the build has reached.  There it puts the same entries once
// more.  Reads use an index only when it is complete.

#ifndef ENTITABLE_WRITE_INDEX_REQUEST_H_
#define ENTITABLE_WRITE_INDEX_REQUEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "base/date_time.h"
#include "base/poll.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "model/index_entry.h"
#include "write/staging.h"

namespace entitable {

struct DeclaredIndex {
  IndexTerms terms;
  IndexCopies copies = {};
};

struct SetIndexesRequest {
  std::string table;  // Any text.
  std::vector<DeclaredIndex> indexes;
  bool continues = false;
};

// Fails with InvalidInput.
Result<SetIndexesRequest> ReadSetIndexes(const SetTableIndexes& set);

// Stages the next step.  Fails with TableNotFound and
// UpdateConditionNotSatisfied.
Poll<Response> Execute(const SetIndexesRequest& request, DateTime now,
                       Staging& staging);

}  // namespace entitable

#endif  // ENTITABLE_WRITE_INDEX_REQUEST_H_
