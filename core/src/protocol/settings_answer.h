// settings_answer.h - the answer to a settings request.
//
// Source: operations of the spec, 2.13 to 2.17.

#ifndef ENTITABLE_PROTOCOL_SETTINGS_ANSWER_H_
#define ENTITABLE_PROTOCOL_SETTINGS_ANSWER_H_

#include "base/date_time.h"
#include "entitable/http.h"
#include "entitable/operation.h"
#include "protocol/answer.h"

namespace entitable {

// For a settings request that the engine answered with success.
HttpResponse MakeSettingsAnswer(const RequestContext& context,
                                const Response& response, DateTime now);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_SETTINGS_ANSWER_H_
