// batch_request.h - a batch, read: the transaction or the query that it asks
// for.
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
  // To be called once.  Where it fails, `exchange` says whether a part of the
  // batch is to be answered with the reason, or the whole.
  Result<void> Read(const HttpRequest& request, std::string_view account_path,
                    RequestContext& context);

  // Of what was read into the same exchange.  Good for as long as the batch is
  // there.
  Operation operation(const RequestContext& context) const;

 private:
  std::unique_ptr<ParsedRequest[]> requests_;
};

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
