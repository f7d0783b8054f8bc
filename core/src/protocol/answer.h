// answer.h - status, headers and body of what the client is sent.
//
// Sources: operations of the spec, 2.4; payloads, 4.7.

#ifndef ENTITABLE_PROTOCOL_ANSWER_H_
#define ENTITABLE_PROTOCOL_ANSWER_H_

#include <optional>
#include <string>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/headers.h"

namespace entitable {

// All that is kept of a request until it is answered.
struct Exchange {
  std::string request_id = {};
  std::string version{kBaselineVersion};
  std::optional<std::string> client_request_id = std::nullopt;

  // Nothing: the client takes no JSON, and reads of its error in XML.
  std::optional<MetadataLevel> level = MetadataLevel::kMinimal;

  // What was asked for, and is granted: kNone on all but inserts.
  Preference preference = Preference::kNone;
};

HttpResponse MakeAnswer(const Exchange& exchange,
                        const Result<Response>& outcome, DateTime now);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ANSWER_H_
