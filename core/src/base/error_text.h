// error_text.h - texts of the service for codes that have more than one text.

#ifndef ENTITABLE_BASE_ERROR_TEXT_H_
#define ENTITABLE_BASE_ERROR_TEXT_H_

namespace entitable {

// InvalidInput: a body that cannot be read, or a value that does not match its
// annotation.
inline constexpr char kUnreadableText[] =
    "An error occurred while processing this request.";

// InvalidInput: an address that cannot be read.
inline constexpr char kQuerySyntaxText[] =
    "Bad Request - Error in query syntax.";

// InvalidInput: an entity group transaction of more than 100 operations.
inline constexpr char kTooManyOperationsText[] =
    "The batch request operation exceeds the maximum 100 changes per change "
    "set.";

// InvalidHeaderValue: a preflight without a required header.
inline constexpr char kNoCorsHeaderText[] =
    "A required CORS header is not present.";

// OutOfRangeInput: a table name that is too short or too long.
inline constexpr char kNameLengthText[] =
    "The specified resource name length is not within the permissible limits.";

}  // namespace entitable

#endif  // ENTITABLE_BASE_ERROR_TEXT_H_
