// http.h - the HTTP front end of an Engine: the REST API of the service,
// without a network.
//
// The host keeps driving the Engine.  The HttpFrontEnd turns each HTTP request
// into an operation for the engine, and each answer of the engine into the
// status, headers and body that the service would send:
//
//   HttpFrontEnd front_end(engine, options.base_url);
//   RequestId id = front_end.Submit({.method = "GET", .target = "/Pets()"});
//   // ... engine.Run(now) returns an Answer ...
//   std::optional<HttpResponse> sent =
//       front_end.Translate(std::move(answer), now);
//
// What a caller may rely on:
//
// - Every request gets an answer.  If a request cannot be read, the answer is
//   the service's, with the error in the body.
// - The front end never waits and keeps no body.  A request takes a few hundred
//   bytes until its answer is translated.
// - The front end checks no signatures.  Each request states what its sender
//   may do (HttpRequest::sas_permissions), and the front end enforces that.

#ifndef ENTITABLE_HTTP_H_
#define ENTITABLE_HTTP_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/engine.h"
#include "entitable/result.h"
#include "entitable/storage.h"

namespace entitable {

// The permissions of a shared access signature (SAS).  Source: auth of the
// spec, 5.6 and 5.7.
struct SasPermissions {
  std::string_view permissions;  // Some of the letters rwdlacu.

  // Account SAS: some of the letters sco.  Table SAS: none.
  std::optional<std::string_view> resource_types = std::nullopt;

  // Table SAS: the table's name, in any case, and the allowed entities.
  std::string_view table = {};
  KeyScope scope = {};
};

// The answer to a request that is not authorized.
struct HttpRefusal {
  int status = 403;
  std::string_view code;
  std::string_view message;
  // WWW-Authenticate; if empty, the answer has no such header.
  std::string_view challenge = {};
};

// A view of the client's request, valid while Submit() runs.
struct HttpRequest {
  struct Header {
    std::string_view name;  // In any case.
    std::string_view value;
  };

  std::string_view method;  // In upper case, as in HTTP.

  // The path and query of the request line, percent-encoded, or an absolute
  // address.  If its path does not begin with the account, the host name tells
  // whether the request goes to the secondary endpoint.  Addresses in the
  // answer use the host of the target, otherwise that of the Host header.
  std::string_view target;

  // If true, the host names the account, as at the service, and the path does
  // not begin with the account's path.
  bool account_in_host = false;

  std::vector<Header> headers = {};  // A name may occur more than once.

  // A new GUID as text, for the header x-ms-request-id.
  std::string_view request_id = {};

  // None: everything is allowed.
  std::optional<SasPermissions> sas_permissions = std::nullopt;

  // If set, the request is not executed and gets this answer, in the format
  // that it accepts.
  std::optional<HttpRefusal> refusal = std::nullopt;

  // The names of the headers of an answer that was already sent, separated by
  // commas.  If set, the request only asks which headers a page of its Origin
  // needs in addition (CORS).
  std::optional<std::string_view> answered = std::nullopt;

  // CORS rules that replace those of the account, as lines of settings ("Cors"
  // and "CorsRule").  Invalid rules fail with InvalidXmlDocument.
  std::optional<std::string_view> cors_rules = std::nullopt;

  // As in JsonText.
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
  // The engine must outlive the front end.  `base_url` is
  // EngineOptions::base_url.  If it has a path, as for accounts that differ in
  // the first path segment, every request must begin with that path, except
  // where HttpRequest::account_in_host is true.
  HttpFrontEnd(Engine& engine, std::string base_url);
  ~HttpFrontEnd();
  HttpFrontEnd(HttpFrontEnd&&) noexcept;
  HttpFrontEnd& operator=(HttpFrontEnd&&) noexcept;

  // Returns the engine's id, which is also in the engine's Answer.
  RequestId Submit(const HttpRequest& request);

  // Like Submit(), for an HTTP request frame.  `capacity` bytes are readable
  // from its start.
  RequestId SubmitFrame(BytesView frame, std::size_t capacity);

  // Like Engine::Cancel().  Requests of this front end must be withdrawn here.
  bool Cancel(RequestId request);

  // Makes the response to the client and forgets the request.  Returns nothing
  // if the request was not submitted through this front end; the answer is then
  // unchanged.
  std::optional<HttpResponse> Translate(Answer&& answer,
                                        double unix_milliseconds);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Where an HTTP request frame belongs, for an account that is spread over
// several stores by a hash of table and PartitionKey.  JSON, with table names
// in lower case:
//
//   {"table": t, "partition": p}   reads or writes one partition
//   {"table": t, "top": n}         queries several partitions, for n entities;
//       "select": s                    its $select, as sent
//       "part": a                      in a batch: its address, as sent
//   {"defines": t}                 creates, deletes or sets up a table; with an
//                                  empty name, the account
//   {}                             reads the account or a table, or is refused
//
// `account_path` is the path of the account's address.
std::string RouteOf(BytesView frame, std::string_view account_path,
                    Profile profile);

// Returns a view of the frame.  `capacity` bytes are readable from its start.
// Fails with InvalidInput if the frame does not follow the grammar.
Result<HttpRequest> DecodeHttpRequest(BytesView frame, std::size_t capacity);

Bytes EncodeHttpResponse(const HttpResponse& response);

}  // namespace entitable

#endif  // ENTITABLE_HTTP_H_
