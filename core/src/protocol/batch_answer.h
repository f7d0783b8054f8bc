// batch_answer.h - what the client of a batch is sent.
//
// Source: payloads of the spec, 4.8.2 to 4.8.4.

#ifndef ENTITABLE_PROTOCOL_BATCH_ANSWER_H_
#define ENTITABLE_PROTOCOL_BATCH_ANSWER_H_

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/answer.h"

namespace entitable {

// The outcome of the transaction or query, in the parts that the batch has.  A
// failure is that of one part, unless the store is at fault, or something in
// the batch is not allowed: then nothing of the batch is answered but this, and
// the exchange is no longer one of a batch.
HttpResponse MakeBatchAnswer(RequestContext& context,
                             const Result<Response>& outcome, DateTime now);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_ANSWER_H_
