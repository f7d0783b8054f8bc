// Any bytes as an HTTP request frame, given to an account that has a table and
// two entities: it is answered as HTTP wants, what failed has changed nothing,
// and what was inserted is found where the answer says.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "entitable/http.h"
#include "fuzz/expect.h"
#include "fuzz/frame_mutator.h"
#include "support/http_client.h"
#include "support/memory_host.h"
#include "support/operations.h"

namespace entitable {
namespace {

// ------------------------------------------------------------------- answers

bool IsHeaderText(std::string_view text) {
  for (const char c : text) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 && c != '\t';
    if (is_control || c == '\x7F') return false;
  }
  return true;
}

void ExpectHeaders(const HttpResponse& response) {
  std::set<std::string> names;
  for (const auto& [name, value] : response.headers) {
    Expect(names.insert(ToLowerAscii(name)).second, "a header comes once");
    Expect(IsHeaderText(value), "a header is one line of text");
  }
  // What another answer is to have beside its own headers.
  if (!names.contains("server")) return;
  Expect(names.contains("content-type") == !response.body.empty(),
         "a body has a type");
  Expect(response.status == 304 ||
             names.contains("content-length") == response.body.empty(),
         "no body has a length of zero");
}

void ExpectBody(const HttpResponse& response) {
  if (response.body.empty()) return;
  const std::string type = HeaderOf(response, "Content-Type").value_or("");
  if (type.starts_with("application/json")) ExpectJson(response.body);
  if (!type.starts_with("multipart/mixed")) return;
  Expect(response.body.starts_with("--batchresponse_") &&
             response.body.ends_with("--\r\n"),
         "a batch is answered from its first to its last delimiter");
}

// An error, under one of the service's codes and with its status.
void ExpectError(const HttpResponse& response) {
  const std::string outcome = Outcome(response);
  const auto code = FindErrorCode(outcome.substr(outcome.find(' ') + 1));
  Expect(code.has_value(), "a failure has a code");
  Expect(HttpStatus(*code) == response.status, "and the status of that code");
  Expect(
      *code < ErrorCode::kAccountClosed && *code != ErrorCode::kInternalError,
      "no request is at fault for what is ours");
}

void ExpectAnswer(const HttpResponse& response) {
  ExpectHeaders(response);
  ExpectBody(response);
  if (response.status >= 400) return ExpectError(response);
  const std::set<int> kSuccesses = {200, 201, 202, 204, 304};
  Expect(kSuccesses.contains(response.status), "a success is one we know");
}

// --------------------------------------------------------------------- stores

bool IsRead(std::string_view method) { return method == "GET"; }

// As a whole, or in a part of a batch.  No body of a part has a line of its
// own.
bool HasFailed(const HttpResponse& response) {
  return response.status >= 400 || response.body.contains("\r\nHTTP/1.1 4") ||
         response.body.contains("\r\nHTTP/1.1 5");
}

// What was made is there, as the answer to its making said.
void ExpectFound(HttpClient& client, const HttpRequest& request,
                 const HttpResponse& made) {
  const auto location = HeaderOf(made, "Location");
  if (!location) return;
  OwnedRequest get{.target = *location};
  for (const auto& [name, value] : request.headers) {
    if (EqualsIgnoringAsciiCase(name, "Accept")) {
      get.headers.emplace_back(name, value);
    }
  }
  const HttpResponse found = client.Send(get);
  if (made.status != 201 || request.target.contains('?')) return;
  Expect(found.status == 200, "what was made is at its location");
  Expect(HeaderOf(found, "ETag") == HeaderOf(made, "ETag"), "in that version");
  Expect(found.body == made.body, "and reads as it was answered");
}

HttpResponse SendFrame(HttpFrontEnd& front_end, MemoryHost& host,
                       std::string_view frame) {
  const RequestId id = front_end.SubmitFrame(frame, frame.size());
  Answer answer{id, host.Await(id)};
  auto response = front_end.Translate(std::move(answer), host.clock());
  Expect(response.has_value(), "every request is answered");
  EncodeHttpResponse(*response);
  return *std::move(response);
}

}  // namespace

void Test(std::string_view frame) {
  const auto request = DecodeHttpRequest(frame, frame.size());
  if (!request) return;

  constexpr char kBaseUrl[] = "https://acct.table.core.windows.net";
  MemoryHost host;
  HttpFrontEnd front_end(host.engine(), kBaseUrl);
  Prepare(host);
  const auto before = host.storage().values();

  const HttpResponse response = SendFrame(front_end, host, frame);
  ExpectAnswer(response);
  if (HasFailed(response) || IsRead(request->method)) {
    Expect(host.storage().values() == before, "nothing has changed");
    const HttpResponse again = SendFrame(front_end, host, frame);
    Expect(again.status == response.status && again.body == response.body,
           "and the same request has the same answer");
    return;
  }
  HttpClient client(host);
  ExpectFound(client, *request, response);
  const std::string contents = Contents(host);
  host.Restart();
  Expect(Contents(host) == contents, "storage holds all that is known");
}

}  // namespace entitable

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data,
                                               std::size_t size,
                                               std::size_t max_size,
                                               unsigned seed) {
  return entitable::FrameMutator(
             {.head_bytes = 0, .last_tag = 10, .part_tag = 6}, seed)
      .Mutate(data, size, max_size);
}
