// error.h - the list of all errors.

#ifndef ENTITABLE_ERROR_H_
#define ENTITABLE_ERROR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace entitable {

// X(name, HTTP status, text).  The text is the service's own if it is known;
// some failures carry another text under the same code.  The first block holds
// the service's codes.  Sources: "Table service error codes", "Common REST API
// error codes".  The second block holds failures that the service has no code
// for, because its storage differs from ours.  Their status is the closest HTTP
// status. js/src/base/errors.ts holds the same names and statuses; a test
// compares the two.
#define ENTITABLE_ERROR_CODES(X)                                               \
  X(AtomFormatNotSupported, 415, "Atom format is not supported.")              \
  X(AuthorizationFailure, 403,                                                 \
    "This request is not authorized to perform this operation.")               \
  X(AuthorizationPermissionMismatch, 403,                                      \
    "This request is not authorized to perform this operation using this "     \
    "permission.")                                                             \
  X(AuthorizationResourceTypeMismatch, 403,                                    \
    "This request is not authorized to perform this operation using this "     \
    "resource type.")                                                          \
  X(CommandsInBatchActOnDifferentPartitions, 400,                              \
    "All commands in a batch must operate on same entity group.")              \
  X(CorsPreflightFailure, 403,                                                 \
    "CORS not enabled or no matching rule found for this request.")            \
  X(DuplicatePropertiesSpecified, 400,                                         \
    "A property is specified more than one time.")                             \
  X(EntityAlreadyExists, 409, "The specified entity already exists.")          \
  X(EntityTooLarge, 400,                                                       \
    "The entity is larger than the maximum allowed size (1MB).")               \
  X(InsufficientAccountPermissions, 403,                                       \
    "The account being accessed does not have sufficient permissions to "      \
    "execute this operation.")                                                 \
  X(InternalError, 500,                                                        \
    "Server encountered an internal error. Please try again after some time.") \
  X(InvalidDuplicateRow, 400,                                                  \
    "The batch request contains multiple changes with same row key. An entity" \
    " can appear only once in a batch request.")                               \
  X(InvalidHeaderValue, 400,                                                   \
    "The value for one of the HTTP headers is not in the correct format.")     \
  X(InvalidInput, 400, "One of the request inputs is not valid.")              \
  X(InvalidQueryParameterValue, 400,                                           \
    "Value for one of the query parameters specified in the request URI is "   \
    "invalid.")                                                                \
  X(InvalidResourceName, 400,                                                  \
    "The specifed resource name contains invalid characters.")                 \
  X(InvalidUri, 400,                                                           \
    "The requested URI does not represent any resource on the"                 \
    " server.")                                                                \
  X(InvalidXmlDocument, 400, "XML specified is not syntactically valid.")      \
  X(MediaTypeNotSupported, 415,                                                \
    "None of the provided media types are supported")                          \
  X(MethodNotAllowed, 405,                                                     \
    "The requested method is not allowed on the specified resource.")          \
  X(NotImplemented, 501,                                                       \
    "The requested operation is not implemented on the specified resource.")   \
  X(OutOfRangeInput, 400, "One of the request inputs is out of range.")        \
  X(PropertiesNeedValue, 400,                                                  \
    "The values are not specified for all properties in the entity.")          \
  X(PropertyNameInvalid, 400, "The property name is invalid.")                 \
  X(PropertyNameTooLong, 400,                                                  \
    "The property name exceeds the maximum allowed length (255).")             \
  X(PropertyValueTooLarge, 400,                                                \
    "The property value exceeds the maximum allowed size (64KB). If the"       \
    " property value is a string, it is UTF-16 encoded and the maximum number" \
    " of characters should be 32K or less.")                                   \
  X(RequestBodyTooLarge, 413,                                                  \
    "The request body is too large and exceeds the maximum permissible "       \
    "limit.")                                                                  \
  X(ResourceNotFound, 404, "The specified resource does not exist.")           \
  X(ServerBusy, 503, "The server is busy.")                                    \
  X(TableAlreadyExists, 409, "The table specified already exists.")            \
  X(TableNotFound, 404, "The table specified does not exist.")                 \
  X(TooManyProperties, 400,                                                    \
    "The entity contains more properties than allowed. Each entity can "       \
    "include"                                                                  \
    " up to 252 properties to store data. Each entity also has 3 system"       \
    " properties.")                                                            \
  X(UpdateConditionNotSatisfied, 412,                                          \
    "The update condition specified in the request was not satisfied.")        \
  X(XMethodIncorrectCount, 400, "More than one X-HTTP-Method is specified.")   \
  X(XMethodIncorrectValue, 400, "The specified X-HTTP-Method is invalid.")     \
  X(XMethodNotUsingPost, 400,                                                  \
    "The request uses X-HTTP-Method with an HTTP verb other than POST.")       \
  /* Ours. */                                                                  \
  X(AccountClosed, 503, "The account was closed.")                             \
  X(AggregateTooLarge, 413,                                                    \
    "The groups and the values of their aggregates take too much memory.")     \
  X(ModuleAborted, 503,                                                        \
    "The WebAssembly module stopped; open the account again.")                 \
  X(SchemaVersionTooNew, 501,                                                  \
    "A row is of a newer version than this app knows.")                        \
  X(SchemaViolation, 400, "The entity breaks the schema.")                     \
  X(ScriptNotLoaded, 503, "A script of the package cannot be loaded.")         \
  X(SearchTooLarge, 413,                                                       \
    "The texts with the words of the search take too much memory.")            \
  X(StorageDamaged, 500, "A stored value is damaged.")                         \
  X(StorageEvicted, 410,                                                       \
    "The store was deleted, or replaced by another, while it was open.")       \
  X(StorageKeyMismatch, 403, "The store was encrypted with another key.")      \
  X(StorageOutcomeUnknown, 500,                                                \
    "The storage did not say whether it stored the change.")                   \
  X(StorageQuotaExceeded, 507, "The storage has no room for the change.")      \
  X(StorageUnavailable, 503, "The storage did not do what was asked of it.")   \
  X(StorageVersionNewer, 501, "The store was written by a newer version.")     \
  X(SumOverflow, 400, "A sum of integers is beyond the range of its type.")    \
  X(TableReadOnly, 403, "The table is a copy: only its sync changes it.")      \
  X(TableSynced, 409, "The table is synced. End its sync first.")              \
  X(TransactionConflict, 409,                                                  \
    "Something that the transaction has read was changed meanwhile.")

enum class ErrorCode : std::uint8_t {
#define ENTITABLE_X(name, status, text) k##name,
  ENTITABLE_ERROR_CODES(ENTITABLE_X)
#undef ENTITABLE_X
};

// The name in `odata.error.code`, for example "TableNotFound".
std::string_view ErrorName(ErrorCode code);

// Returns nothing for an unknown name.
std::optional<ErrorCode> FindErrorCode(std::string_view name);

// The HTTP status that the service sends with the code.
int HttpStatus(ErrorCode code);

// The usual text of the code.
std::string_view ErrorText(ErrorCode code);

// An error in short form: its code, and its text if that differs from the usual
// one.
struct Failure {
  ErrorCode code;
  const char* literal = nullptr;
};

// The special members are defined in error.cc: errors are made, moved and
// destroyed in many places, and inlining them there makes the code larger.
struct Error {
  Error(Failure failure) : Error(failure.code, failure.literal) {}
  explicit Error(ErrorCode error_code, const char* literal = nullptr);
  Error(ErrorCode error_code, std::string text);
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

  ErrorCode code;
  std::string message;

  // In an entity group transaction: the index, from 0, of the operation that
  // failed, or of the first operation that broke a rule of the transaction.  In
  // an import: how many entities of its input are stored.  These are the first
  // ones; if an entity caused the error, it is the next one.  After
  // StorageOutcomeUnknown, more may be stored.
  std::optional<std::uint32_t> operation = std::nullopt;

  // In an import: PartitionKey and RowKey of the entity at fault; empty, if one
  // of them could not be read.
  std::vector<std::string> entity_keys = {};

  // Of SchemaViolation: all violations, as a JSON array
  // (docs/internals/frames.md).
  std::string violations = {};
};

}  // namespace entitable

#endif  // ENTITABLE_ERROR_H_
