// continuation_token.h - the continuation tokens of clients.
//
//   token  = "1!" length "!" text
//   text   = Base64 of the UTF-8 value, with "-" for each "="
//   length = number of characters in text, decimal
//
// Source: section 3.8 of the spec on queries.

#ifndef ENTITABLE_WIRE_CONTINUATION_TOKEN_H_
#define ENTITABLE_WIRE_CONTINUATION_TOKEN_H_

#include <string>
#include <string_view>

#include "entitable/result.h"

namespace entitable {

// The empty value becomes "1!0!".
std::string EncodeToken(std::string_view utf8);

// Fails with InvalidInput unless EncodeToken() can make the token from valid
// UTF-8.  A space counts as a plus sign: some clients put the token into an
// address without encoding it.
Result<std::string> DecodeToken(std::string_view token);

}  // namespace entitable

#endif  // ENTITABLE_WIRE_CONTINUATION_TOKEN_H_
