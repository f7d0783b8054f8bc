// error_text.h - the service's second texts for codes that have more than one.

#ifndef ENTITABLE_BASE_ERROR_TEXT_H_
#define ENTITABLE_BASE_ERROR_TEXT_H_

namespace entitable {

// InvalidInput: a body that cannot be read, or a value against its annotation.
inline constexpr char kUnreadableText[] =
    "An error occurred while processing this request.";

// InvalidInput: an address that cannot be read.
inline constexpr char kQuerySyntaxText[] =
    "Bad Request - Error in query syntax.";

// InvalidInput: an entity group transaction of more than 100 operations.
inline constexpr char kTooManyOperationsText[] =
    "The batch request operation exceeds the maximum 100 changes per change "
    "set.";

// InvalidHeaderValue: a preflight that lacks a header.
inline constexpr char kNoCorsHeaderText[] =
    "A required CORS header is not present.";

// OutOfRangeInput: a table name too short or too long.
inline constexpr char kNameLengthText[] =
    "The specified resource name length is not within the permissible limits.";

}  // namespace entitable

#endif  // ENTITABLE_BASE_ERROR_TEXT_H_
