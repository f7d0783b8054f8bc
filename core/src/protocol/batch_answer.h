// batch_answer.h - the answer to a batch.
//
// Source: payloads of the spec, 4.8.2 to 4.8.4.
//
//   --batchresponse_ID               the outer boundary: x-ms-request-id
//   Content-Type: multipart/mixed; boundary=changesetresponse_ID
//
//   --changesetresponse_ID           for each operation; for a failure once
//   Content-Type: application/http
//   Content-Transfer-Encoding: binary
//
//   HTTP/1.1 204 No Content          then headers, an empty line, the body
//   --changesetresponse_ID--
//   --batchresponse_ID--
//
// A query stands directly in the outer boundary.

#ifndef ENTITABLE_PROTOCOL_BATCH_ANSWER_H_
#define ENTITABLE_PROTOCOL_BATCH_ANSWER_H_

#include "base/date_time.h"
#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/answer.h"

namespace entitable {

// Turns the outcome of the transaction or query into the parts of a batch
// answer.  A failure usually becomes one part.  If the store failed or was
// busy, or the batch was not authorized, the whole answer is that error, and
// `context` is no longer that of a batch.
HttpResponse MakeBatchAnswer(RequestContext& context,
                             Result<Response>&& outcome, DateTime now);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_ANSWER_H_
