// http_client.h - HTTP requests to a MemoryHost, through frames as from a host.

#ifndef ENTITABLE_TESTS_SUPPORT_HTTP_CLIENT_H_
#define ENTITABLE_TESTS_SUPPORT_HTTP_CLIENT_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entitable/http.h"
#include "support/memory_host.h"

namespace entitable {

using HeaderPairs = std::vector<std::pair<std::string, std::string>>;

// A request and the texts that it consists of.
struct OwnedRequest {
  std::string method = "GET";
  std::string target;
  HeaderPairs headers = {};
  std::string body = {};
  std::string request_id = "11111111-2222-3333-4444-555555555555";

  // As HttpRequest::answered; empty: a request like any other.
  std::string answered = {};

  bool account_in_host = false;
};

// The frame that a binding would write.
Bytes EncodeHttpRequest(const OwnedRequest& request);

class HttpClient {
 public:
  // The host must outlive it, and not move.
  explicit HttpClient(MemoryHost& host, std::string base_url = kBaseUrl);

  // Sends it and works until it is answered.
  HttpResponse Send(const OwnedRequest& request);

  // The same in two steps.
  RequestId Submit(const OwnedRequest& request);
  HttpResponse Await(RequestId request);

  // Adds what a page of the request's Origin is told beside the answer, as a
  // host does.
  void AddCorsHeaders(OwnedRequest request, HttpResponse& response);

  MemoryHost& host() { return host_; }

 private:
  static constexpr char kBaseUrl[] = "https://acct.table.core.windows.net";

  MemoryHost& host_;
  HttpFrontEnd front_end_;
};

// Nothing when the answer has no such header.
std::optional<std::string> HeaderOf(const HttpResponse& response,
                                    std::string_view name);

// "400 InvalidInput", or the status alone of a success.
std::string Outcome(const HttpResponse& response);

}  // namespace entitable

#endif  // ENTITABLE_TESTS_SUPPORT_HTTP_CLIENT_H_
