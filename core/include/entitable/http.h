// http.h - the HTTP front of an Engine: the REST API of the service, without a
// network.
//
// An HttpFrontEnd stands beside an Engine that the host goes on driving.  It
// turns a request into an operation for the engine, and the engine's answer
// into the status, the headers and the body that the service sends:
//
//   HttpFrontEnd door(engine, options.base_url);
//   RequestId id = door.Submit({.method = "GET", .target = "/Pets()"});
//   ... engine.Run(now) says: Answer answer ...
//   std::optional<HttpResponse> sent = door.Translate(answer, now);
//
// What a caller may rely on:
//
// - Every request is answered, those that cannot be read too: as the service
//   answers them, with the error in the body.
// - Nothing here waits or keeps a body: until its answer has been translated, a
//   request takes up a few hundred bytes.
// - Who has signed what is not asked here: a request says itself what whoever
//   sends it may do, and that is all it can do.

#ifndef ENTITABLE_HTTP_H_
#define ENTITABLE_HTTP_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/engine.h"
#include "entitable/page.h"
#include "entitable/result.h"

namespace entitable {

// What a shared access signature allows.  Source: auth of the spec, 5.6
// and 5.7.
struct SasPermissions {
  std::string_view permissions;  // Letters of rwdlacu.

  // Of a signature for an account: letters of sco.  None: it is for a table.
  std::optional<std::string_view> resource_types = std::nullopt;

  // Of a signature for a table: its name, in any case, and which entities.
  std::string_view table = {};
  KeyScope scope = {};
};

// Why a request is not let in: what its answer says.
struct HttpRefusal {
  int status = 403;
  std::string_view code;
  std::string_view message;
  std::string_view challenge = {};  // WWW-Authenticate; empty: no such header.
};

// A view of what the client sent, for as long as Submit() runs.
struct HttpRequest {
  struct Header {
    std::string_view name;  // In any case.
    std::string_view value;
  };

  std::string_view method;  // In upper case, as HTTP has it.

  // Path and query as they stand on the request line, percent-encoded; an
  // absolute address passes, too.  Where the account has no path of its own,
  // the host tells whether it is the secondary one.  Addresses in the answer
  // have the host of the target, or else of the Host header.
  std::string_view target;

  std::vector<Header> headers = {};  // A name may come more than once.

  // A new GUID as text: what the client finds in x-ms-request-id.
  std::string_view request_id = {};

  // None: everything is allowed.
  std::optional<SasPermissions> sas_permissions = std::nullopt;

  // It is answered with this, in the form that it accepts, and not carried out.
  std::optional<HttpRefusal> refusal = std::nullopt;

  // The names of the headers that the request was answered with, commas between
  // them: it asks only which headers pages of its Origin need beside these.
  std::optional<std::string_view> answered = std::nullopt;

  // Rules for pages of other origins, in place of the account's: the lines of
  // settings that say so ("Cors" and "CorsRule").  Where they break a rule of
  // the service, the request is answered with InvalidXmlDocument.
  std::optional<std::string_view> cors_rules = std::nullopt;

  // As in Operation.
  std::string_view body = {};
  std::size_t body_capacity = 0;
};

struct HttpResponse {
  struct Header {
    std::string_view name;
    std::string value;
  };

  int status = 200;
  std::vector<Header> headers = {};  // Each name once.
  Bytes body = {};
};

class HttpFrontEnd {
 public:
  // The engine must outlive the door.  `base_url`: EngineOptions::base_url; if
  // it ends in a path, as where accounts are told apart by the first segment,
  // every request must begin with that path.
  HttpFrontEnd(Engine& engine, std::string base_url);
  ~HttpFrontEnd();
  HttpFrontEnd(HttpFrontEnd&&) noexcept;
  HttpFrontEnd& operator=(HttpFrontEnd&&) noexcept;

  // The id is the engine's: its Answer bears it.
  RequestId Submit(const HttpRequest& request);

  // The same for an HTTP request frame, of which `capacity` bytes can be read
  // from its start.
  RequestId SubmitFrame(BytesView frame, std::size_t capacity);

  // As Engine::Cancel(), which must not be called for requests of this door.
  bool Cancel(RequestId request);

  // What the client is sent, and the end of its request.  Nothing for an answer
  // to a request that did not come through this door.
  std::optional<HttpResponse> Translate(const Answer& answer,
                                        double unix_milliseconds);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// A view of the frame.  `capacity`: how many bytes can be read from its start.
// Fails with InvalidInput when the frame does not follow the grammar.
Result<HttpRequest> DecodeHttpRequest(BytesView frame, std::size_t capacity);

Bytes EncodeHttpResponse(const HttpResponse& response);

}  // namespace entitable

#endif  // ENTITABLE_HTTP_H_
