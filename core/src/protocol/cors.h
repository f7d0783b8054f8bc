// cors.h - what pages of other origins may see.
//
// Source: operations of the spec, 2.17.

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

  // Of a preflight: the headers of the request to come.  Else those of the
  // answer.  With commas between them.
  std::string headers = {};
};

using HttpHeaders = std::vector<HttpResponse::Header>;

// What a preflight is answered with by the account's rules, which `properties`
// (model/settings.h) tell.  Fails with CorsPreflightFailure.
Result<HttpHeaders> AnswerPreflight(const CorsQuestion& question,
                                    std::string_view properties);

// What the answer to a request gets beside its own headers.
HttpHeaders CorsHeaders(const CorsQuestion& question,
                        std::string_view properties);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_CORS_H_
