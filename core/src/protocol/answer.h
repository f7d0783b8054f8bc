// answer.h - the status, headers and body of an answer.
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
#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/cors.h"
#include "protocol/headers.h"
#include "protocol/routes.h"

namespace entitable {

// What a batch contains; kNone: the request is not a batch.
enum class BatchKind : std::uint8_t { kNone, kQuery, kChangeSet };

// A copy of HttpRefusal.
struct KeptRefusal {
  int status;
  std::string code;
  std::string message;
  std::string challenge;
};

// What the front end keeps of a request until it is answered.
//
// It is small, and has none of the request's texts but those that are repeated:
// many requests may wait at the same time.
struct RequestContext {
  std::string request_id = {};
  std::string version{kBaselineVersion};
  std::optional<std::string> client_request_id = std::nullopt;

  // Nothing: errors are sent as XML, because the client accepts no JSON or asks
  // for settings, which are XML.
  std::optional<MetadataLevel> level = MetadataLevel::kMinimal;

  // The requested preference; kNone unless the operation is an insert.
  Preference preference = Preference::kNone;

  // Whether the operation creates a table.
  bool creates_table = false;

  // Null: the request is authorized.
  std::unique_ptr<KeptRefusal> refusal = {};

  // For a request of a batch: its Content-ID, or empty.
  std::string content_id = {};

  // For settings: the kind of document, the CORS question, and whether the
  // request went to the secondary endpoint.
  Document document = Document::kNone;
  CorsQuestion cors = {};
  // These replace the account's rules.
  std::optional<std::string> cors_rules = std::nullopt;
  bool is_secondary = false;

  // For a batch: the contexts of its requests, in their order.
  BatchKind batch = BatchKind::kNone;
  std::unique_ptr<RequestContext[]> parts = {};
  std::size_t part_count = 0;
};

// Makes the answer to a request.  Without a time, makes the answer to a request
// of a batch, without the headers that the batch answer has for all its parts.
// For a batch, `response.body` is the text of the parts.  Headers are in the
// order that was recorded from the service.  Source: payloads, 4.8.2.
HttpResponse MakeAnswer(const RequestContext& context, Response&& response,
                        const DateTime* now);
HttpResponse MakeAnswer(const RequestContext& context, const Error& error,
                        DateTime now, bool is_part = false);

// Makes the answer to a request that was not authorized.
HttpResponse MakeRefusal(const RequestContext& context, DateTime now);

// The time as in headers: "Tue, 02 Jan 2024 03:04:05 GMT".
std::string HttpDate(DateTime time);

// The boundary between the parts of a batch answer; unique for each answer.
std::string BatchBoundary(const RequestContext& context);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_ANSWER_H_
