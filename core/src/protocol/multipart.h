// multipart.h - the text of a batch, taken apart.
//
// Lines end in CRLF or LF.  Nothing here copies or recurses, and how much there
// may be of anything is said by the caller.
//
// Source: payloads of the spec, 4.8.1.

#ifndef ENTITABLE_PROTOCOL_MULTIPART_H_
#define ENTITABLE_PROTOCOL_MULTIPART_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/http.h"

namespace entitable {

// What the Content-Type of a multipart/mixed body says stands between its
// parts; empty where it is another type or says nothing.
std::string BoundaryOf(std::string_view content_type);

// Appends what stands between the delimiters, without the line end before each.
// What precedes the first and follows the last delimiter is passed over.  False
// when a part does not end.  Stops, content, behind `limit` parts.
bool SplitParts(std::string_view body, std::string_view boundary,
                std::size_t limit, std::vector<std::string_view>& parts);

// Takes lines off the text, up to the first empty one and with it.  False when
// one is no header, or there are too many.
bool TakeHeaders(std::string_view& text,
                 std::vector<HttpRequest::Header>& headers);

// Takes empty lines off the text, then "METHOD target HTTP/1.1".  False when
// something else comes next.
bool TakeRequestLine(std::string_view& text, HttpRequest& request);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_MULTIPART_H_
