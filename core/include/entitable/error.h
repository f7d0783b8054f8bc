// error.h - the one list of everything that can go wrong.

#ifndef ENTITABLE_ERROR_H_
#define ENTITABLE_ERROR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace entitable {

// X(name, HTTP status).  The upper block holds the service's own codes.
// Sources: "Table service error codes", "Common REST API error codes".
// The lower block holds failures that the service has no name for, because its
// storage is not ours: there the status is the nearest one that HTTP has.
// js/src/errors.ts holds the same list; a test compares the two.
#define ENTITABLE_ERROR_CODES(X)               \
  X(AtomFormatNotSupported, 415)               \
  X(CommandsInBatchActOnDifferentPartitions, 400) \
  X(DuplicatePropertiesSpecified, 400)         \
  X(EntityAlreadyExists, 409)                  \
  X(EntityTooLarge, 400)                       \
  X(InternalError, 500)                        \
  X(InvalidDuplicateRow, 400)                  \
  X(InvalidHeaderValue, 400)                   \
  X(InvalidInput, 400)                         \
  X(InvalidResourceName, 400)                  \
  X(InvalidUri, 400)                           \
  X(MediaTypeNotSupported, 415)                \
  X(MethodNotAllowed, 405)                     \
  X(NotImplemented, 501)                       \
  X(OutOfRangeInput, 400)                      \
  X(PropertiesNeedValue, 400)                  \
  X(PropertyNameInvalid, 400)                  \
  X(PropertyNameTooLong, 400)                  \
  X(PropertyValueTooLarge, 400)                \
  X(RequestBodyTooLarge, 413)                  \
  X(ResourceNotFound, 404)                     \
  X(TableAlreadyExists, 409)                   \
  X(TableNotFound, 404)                        \
  X(TooManyProperties, 400)                    \
  X(UpdateConditionNotSatisfied, 412)          \
  /* Ours. */                                  \
  X(AccountClosed, 503)                        \
  X(ModuleAborted, 503)                        \
  X(StorageDamaged, 500)                       \
  X(StorageOutcomeUnknown, 500)                \
  X(StorageQuotaExceeded, 507)                 \
  X(StorageUnavailable, 503)

enum class ErrorCode : std::uint8_t {
#define ENTITABLE_X(name, status) k##name,
  ENTITABLE_ERROR_CODES(ENTITABLE_X)
#undef ENTITABLE_X
};

// The name as it stands in `odata.error.code`, for example "TableNotFound".
std::string_view ErrorName(ErrorCode code);

// The HTTP status that the service sends with the code.
int HttpStatus(ErrorCode code);

struct Error {
  ErrorCode code;
  std::string message;

  // In an entity group transaction: the zero-based index of the operation that
  // failed, or, for a rule of the whole, of the first that broke it.
  std::optional<std::uint32_t> operation = std::nullopt;
};

}  // namespace entitable

#endif  // ENTITABLE_ERROR_H_
