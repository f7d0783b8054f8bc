// cors.h - cross-origin resource sharing.
//
// Source: operations of the spec, 2.17.
//
// A page of another origin may read an answer only if a rule of the account
// allows it.  The first rule that has the origin and the method decides, even
// if a later one would allow more.  A request is executed whatever the rules
// say: the browser keeps the answer from the page.  In a preflight, the browser
// asks before it sends the request.

#ifndef ENTITABLE_PROTOCOL_CORS_H_
#define ENTITABLE_PROTOCOL_CORS_H_

#include <string>
#include <string_view>
#include <vector>

#include "entitable/http.h"
#include "entitable/result.h"

namespace entitable {

struct CorsQuestion {
  std::string origin = {};
  std::string method = {};

  // Separated by commas.  In a preflight: the headers of the coming request.
  // Otherwise: the headers of the answer.
  std::string headers = {};
};

using HttpHeaders = std::vector<HttpResponse::Header>;

// Answers a preflight by the account's rules, which are in `properties`
// (model/settings.h).  Fails with CorsPreflightFailure.
Result<HttpHeaders> AnswerPreflight(const CorsQuestion& question,
                                    std::string_view properties);

// The CORS headers to add to the answer of a request.
HttpHeaders CorsHeaders(const CorsQuestion& question,
                        std::string_view properties);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_CORS_H_
