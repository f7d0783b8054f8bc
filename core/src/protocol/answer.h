// answer.h - status, headers and body of what the client is sent.
//
// Sources: operations of the spec, 2.4; payloads, 4.7.

#ifndef ENTITABLE_PROTOCOL_ANSWER_H_
#define ENTITABLE_PROTOCOL_ANSWER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/date_time.h"
#include "entitable/engine.h"
#include "entitable/http.h"
#include "entitable/result.h"
#include "protocol/cors.h"
#include "protocol/headers.h"
#include "protocol/routes.h"

namespace entitable {

// What a batch holds: nothing is no batch.
enum class BatchKind : std::uint8_t { kNone, kQuery, kChangeSet };

// HttpRefusal, kept.
struct KeptRefusal {
  int status;
  std::string code;
  std::string message;
  std::string challenge;
};

// All that is kept of a request until it is answered.
struct RequestContext {
  std::string request_id = {};
  std::string version{kBaselineVersion};
  std::optional<std::string> client_request_id = std::nullopt;

  // Nothing: the client takes no JSON, and reads of its error in XML; or asks
  // for settings, which are XML.
  std::optional<MetadataLevel> level = MetadataLevel::kMinimal;

  // What was asked for, and is granted: kNone on all but inserts.
  Preference preference = Preference::kNone;

  // Whether a table is to be made.
  bool creates_table = false;

  // Null: it was let in.
  std::unique_ptr<KeptRefusal> refusal = {};

  // Of a request in a batch: how the client calls it; empty where it does not.
  std::string content_id = {};

  // Of settings: what is asked for, and by whom; and whether it is asked of the
  // account's secondary address.
  Document document = Document::kNone;
  CorsQuestion cors = {};
  // In place of the account's.
  std::optional<std::string> cors_rules = std::nullopt;
  bool is_secondary = false;

  // Of a batch: what its requests want to be answered with, in their order.
  BatchKind batch = BatchKind::kNone;
  std::unique_ptr<RequestContext[]> parts = {};
  std::size_t part_count = 0;
};

// The answer to a request; without a time, to one in a batch: then it lacks
// what the answer to the batch says for all its parts.  Of a batch,
// `response.body` is the text of the parts.  Headers come in the recorded
// order.  Source: payloads, 4.8.2.
HttpResponse MakeAnswer(const RequestContext& context, const Response& response,
                        const DateTime* now);
HttpResponse MakeAnswer(const RequestContext& context, const Error& error,
                        DateTime now, bool is_part = false);

// The answer to a request that was not let in.
HttpResponse MakeRefusal(const RequestContext& context, DateTime now);

// The time as it stands in headers: "Tue, 02 Jan 2024 03:04:05 GMT".
std::string HttpDate(DateTime time);

// What stands between the parts of the answer to a batch; like no other's.
std::string BatchBoundary(const RequestContext& context);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ANSWER_H_
