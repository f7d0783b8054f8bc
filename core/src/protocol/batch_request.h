// batch_request.h - reads a batch: the transaction or query that it asks for.
//
// Sources: operations of the spec, 2.12; payloads, 4.8.

#ifndef ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
#define ENTITABLE_PROTOCOL_BATCH_REQUEST_H_

#include <memory>
#include <string_view>

#include "entitable/engine.h"
#include "entitable/http.h"
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
  // exists.
  Operation operation(const RequestContext& context) const;

 private:
  std::unique_ptr<ParsedRequest[]> requests_;
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
