// index_request.h - declares the indexes of a table, and builds them step by
// step.

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

struct SetIndexesRequest {
  std::string table;  // Any text.
  std::vector<IndexTerms> indexes;
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
