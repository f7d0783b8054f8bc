// batch_request.h - reads a batch: the transaction or query that it asks for.
//
// Sources: operations of the spec, 2.12; payloads, 4.8.

#ifndef ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
#define ENTITABLE_PROTOCOL_BATCH_REQUEST_H_

#include <memory>
#include <string_view>

#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/answer.h"
#include "protocol/parsed_request.h"

namespace entitable {

class BatchRequest {
 public:
  // Call it once.  If it fails, `context` tells whether the error belongs to
  // one part of the batch or to the whole.
  Result<void> Read(const HttpRequest& request, std::string_view account_path,
                    RequestContext& context);

  // `context` is the one that Read() filled.  Valid as long as this object
  // exists.  Fails as MakeOperation() does.
  Result<Operation> operation(const RequestContext& context);

 private:
  std::unique_ptr<ParsedRequest[]> requests_;
  std::vector<TransactionPart> parts_;
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
