/**
 * The code of each failure, and its HTTP status.
 *
 * @module
 */

/**
 * Each code with its HTTP status. The first block holds the codes of the Table service ("Table
 * service error codes", "Common REST API error codes"). The second block holds failures that the
 * service has no name for. `core/include/entitable/error.h` has the same list; a test compares the
 * two.
 */
export const ERROR_CODES = {
  AtomFormatNotSupported: 415,
  AuthorizationFailure: 403,
  AuthorizationPermissionMismatch: 403,
  AuthorizationResourceTypeMismatch: 403,
  CommandsInBatchActOnDifferentPartitions: 400,
  CorsPreflightFailure: 403,
  DuplicatePropertiesSpecified: 400,
  EntityAlreadyExists: 409,
  EntityTooLarge: 400,
  InsufficientAccountPermissions: 403,
  InternalError: 500,
  InvalidDuplicateRow: 400,
  InvalidHeaderValue: 400,
  InvalidInput: 400,
  InvalidQueryParameterValue: 400,
  InvalidResourceName: 400,
  InvalidUri: 400,
  InvalidXmlDocument: 400,
  MediaTypeNotSupported: 415,
  MethodNotAllowed: 405,
  NotImplemented: 501,
  OutOfRangeInput: 400,
  PropertiesNeedValue: 400,
  PropertyNameInvalid: 400,
  PropertyNameTooLong: 400,
  PropertyValueTooLarge: 400,
  RequestBodyTooLarge: 413,
  ResourceNotFound: 404,
  ServerBusy: 503,
  TableAlreadyExists: 409,
  TableNotFound: 404,
  TooManyProperties: 400,
  UpdateConditionNotSatisfied: 412,
  XMethodIncorrectCount: 400,
  XMethodIncorrectValue: 400,
  XMethodNotUsingPost: 400,

  AccountClosed: 503,
  AggregateTooLarge: 413,
  ModuleAborted: 503,
  SchemaVersionTooNew: 501,
  SchemaViolation: 400,
  ScriptNotLoaded: 503,
  SearchTooLarge: 413,
  StorageDamaged: 500,
  StorageEvicted: 410,
  StorageKeyMismatch: 403,
  StorageOutcomeUnknown: 500,
  StorageQuotaExceeded: 507,
  StorageUnavailable: 503,
  StorageVersionNewer: 501,
  SumOverflow: 400,
  TableReadOnly: 403,
  TableSynced: 409,
  TransactionConflict: 409,
} as const;

/**
 * Codes that only `entitable/remote` and `entitable/sync` report. `HeadersHidden` and
 * `RowsRejected` are ours; the others are of the
 * service. An endpoint may have further codes, which are reported as they are.
 */
export type RemoteErrorCode =
  | 'AccountIsDisabled'
  | 'AuthenticationFailed'
  | 'AuthorizationProtocolMismatch'
  | 'AuthorizationServiceMismatch'
  | 'AuthorizationSourceIPMismatch'
  | 'HeadersHidden'
  | 'InvalidAuthenticationInfo'
  | 'OperationTimedOut'
  | 'RowsRejected'
  | 'TableBeingDeleted';

/** The name of a failure. Decide by it: messages are for people. */
export type ErrorCode = keyof typeof ERROR_CODES | RemoteErrorCode;
