// batch_request.h - reads a batch: the transaction or query that it asks for.
//
// Sources: operations of the spec, 2.12; payloads, 4.8.
//
// A batch is a body within a body within a body:
//
//   batch       = part of the outer boundary: one change set, or one query
//   change set  = parts of the inner boundary, each of them one write
//   write       = headers, empty line, request line, headers, empty line, JSON
//
// Each level is split by its boundary into views, so nothing is copied.  A part
// with a boundary of its own is a change set.  There are exactly two levels,
// and more are never looked for.  Limits hold before the work: 4 MiB for the
// body, 100 operations (one more is read, so that the engine can refuse it as
// the service does), 100 headers for each.

#ifndef ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
#define ENTITABLE_PROTOCOL_BATCH_REQUEST_H_

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entitable/http.h"
#include "entitable/operation.h"
#include "entitable/result.h"
#include "protocol/answer.h"
#include "protocol/parsed_request.h"

namespace entitable {

// Splits the text of a batch.  Source: payloads of the spec, 4.8.1.
//
// Lines end in CRLF or LF.  These functions neither copy nor recurse.  The
// caller limits the number of parts.  A delimiter counts only at the beginning
// of a line, so JSON may contain its text.

// The boundary in the Content-Type of a multipart/mixed body; empty for other
// types or if there is none.
std::string BoundaryOf(std::string_view content_type);

// Appends the texts between the delimiters, without the line end before each
// delimiter.  Ignores the text before the first and after the last delimiter.
// Returns false if a part does not end.  Stops successfully after `limit`
// parts.
bool SplitParts(std::string_view body, std::string_view boundary,
                std::size_t limit, std::vector<std::string_view>& parts);

// Removes lines from the text up to and including the first empty line.
// Returns false if a line is not a header, or if there are too many.
bool ReadHeaders(std::string_view& text,
                 std::vector<HttpRequest::Header>& headers);

// Removes empty lines, then "METHOD target HTTP/1.1", from the text.  Returns
// false if something else follows.
bool ReadRequestLine(std::string_view& text, HttpRequest& request);

// --------------------------------------------------------------- batch request

// The requests of a batch.
using ParsedBatch = std::vector<std::unique_ptr<ParsedRequest>>;

// Also fills `context`: if this fails, it tells whether the error belongs to
// one part of the batch or to the whole.
Result<ParsedBatch> ParseBatch(const HttpRequest& request,
                               std::string_view account_path,
                               RequestContext& context);

// A view of the requests, which ParseBatch() has read, and of `parts`.  Fails
// as the other MakeOperation() does.
Result<Operation> MakeOperation(BatchKind kind, const ParsedBatch& requests,
                                std::vector<TransactionPart>& parts);

}  // namespace entitable

#endif  // ENTITABLE_PROTOCOL_BATCH_REQUEST_H_
