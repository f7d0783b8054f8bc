// batch_request.h - reads a batch: the transaction or query that it asks for.
//
// Sources: operations of the spec, 2.12; payloads, 4.8.

#ifndef ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
#define ENTITABLE_PROTOCOL_BATCH_REQUEST_H_

#include <memory>
#include <string_view>
#include <vector>

#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/answer.h"
#include "protocol/parsed_request.h"

namespace entitable {

// The requests of a batch.
using ParsedBatch = std::vector<std::unique_ptr<ParsedRequest>>;

// Also fills `context`: if this fails, it tells whether the error belongs to
// one part of the batch or to the whole.
Result<ParsedBatch> ParseBatch(const HttpRequest& request,
                               std::string_view account_path,
                               RequestContext& context);

// A view of the requests, which ParseBatch() has read, and of `parts`.  Fails
// as the other MakeOperation() does.
Result<Operation> MakeOperation(BatchKind kind, const ParsedBatch& requests,
                                std::vector<TransactionPart>& parts);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
