/**
 * Everything that can go wrong, under one name and one class.
 *
 * @module
 */

import { isObject } from './kinds.js';
import type { Violation } from './violation.js';

/**
 * Each code with its HTTP status. The first block holds the Table service's own
 * codes ("Table service error codes", "Common REST API error codes"), the second
 * failures that the service has no name for. The same list as
 * `core/include/entitable/error.h`; a test compares the two.
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
  ModuleAborted: 503,
  ScriptNotLoaded: 503,
  StorageDamaged: 500,
  StorageEvicted: 410,
  StorageOutcomeUnknown: 500,
  StorageQuotaExceeded: 507,
  StorageUnavailable: 503,
  StorageVersionNewer: 501,
} as const;

/** The name of a failure. Decide by it: messages are for people. */
export type ErrorCode = keyof typeof ERROR_CODES;

/** How much room a storage has, in bytes. What it does not know it leaves out. */
export interface StorageRoom {
  /** About how much is used, with all that others keep in the same room. */
  readonly usage?: number | undefined;

  /** How much may be used at most. */
  readonly quota?: number | undefined;
}

/** The service's error payload, in the form in which the official client hands it on. */
export interface ErrorDetails {
  /** The service's text alone: `message` of the error goes on with a sentence of ours. */
  readonly odataError: {
    readonly code: ErrorCode;
    readonly message: { readonly lang: string; readonly value: string };
  };

  /** The table of the call. */
  readonly table?: string;

  /**
   * The keys of the call; in a transaction those of the action that failed, in an import of objects
   * those of the entity at fault.
   */
  readonly partitionKey?: string;
  readonly rowKey?: string;

  /** In a transaction: the zero-based index of the action that failed. */
  readonly operationIndex?: number;

  /** In an import: the zero-based index of the entity at fault, if it is one that is. */
  readonly entityIndex?: number;

  /**
   * In an import: how many entities of the input are stored. They are its first ones; after
   * `StorageOutcomeUnknown` or `ModuleAborted`, the step behind them may be, too.
   */
  readonly stored?: number;

  /** Which stored value is damaged, or of a newer version, if it is known: `pages/17`, say. */
  readonly storageKey?: string;

  /**
   * Of `StorageQuotaExceeded`, in bytes: what the commit that found no room was to add, of which a write
   * may be a part, and as far as the storage tells, about how much is used and how much may be.
   */
  readonly room?: StorageRoom & { readonly needed: number };

  /** In an import of an archive: the first line that is not stored, from 1. */
  readonly line?: number;
}

/** What may accompany a {@link TableError}. */
export interface TableErrorOptions {
  /** What gave rise to it. */
  readonly cause?: unknown;
  /** What stands behind the service's text. */
  readonly sentence?: string | undefined;
  readonly violations?: readonly Violation[] | undefined;
  readonly table?: string | undefined;
  readonly partitionKey?: string | undefined;
  readonly rowKey?: string | undefined;
  readonly operationIndex?: number | undefined;
  readonly entityIndex?: number | undefined;
  readonly stored?: number | undefined;
  readonly storageKey?: string | undefined;
  readonly room?: ErrorDetails['room'] | undefined;
}

/**
 * The one error that this package rejects with, save for the reason of an
 * `abortSignal`. Its members are those which the official client's `RestError`
 * has for a failed request; `cause` is what the storage reported, if it did.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: ErrorDetails;

  /** Every rule that the entity or the name breaks, if that is why it was refused. */
  readonly violations: readonly Violation[];

  /**
   * The message is the service's text, then what is known beside it: the value at fault, the table
   * and the keys. That of a failed transaction begins with the index, `"3:"`, as the service's does.
   */
  constructor(code: ErrorCode, text: string, options: TableErrorOptions = {}) {
    const { sentence, violations = [], room, storageKey, cause, ...places } = options;
    const { operationIndex } = places;
    const value = operationIndex === undefined ? text : `${operationIndex}:${text}`;
    super(sentence ? `${value} ${sentence}` : value, 'cause' in options ? { cause } : undefined);
    this.code = code;
    this.statusCode = ERROR_CODES[code];
    this.violations = violations;
    const known = Object.entries(places).filter(([, place]) => place !== undefined);
    this.details = {
      odataError: { code, message: { lang: 'en-US', value } },
      ...(Object.fromEntries(known) as typeof places as object),
      ...(storageKey && { storageKey }),
      ...(room && { room }),
    };
  }
}

/**
 * The same error with more details. It is made here, so its stack names the caller of an
 * asynchronous function, where that of the first one names the turn of the event loop.
 *
 * @internal
 */
export function remade(error: TableError, more: TableErrorOptions = {}): TableError {
  const { odataError, ...details } = error.details;
  const { value } = odataError.message;
  const index = details.operationIndex;
  const text = index === undefined ? value : value.slice(`${index}:`.length);
  const sentences = [error.message.slice(value.length).trim(), more.sentence];
  return new TableError(error.code, text, {
    ...details,
    violations: error.violations,
    ...more,
    sentence: sentences.filter(Boolean).join(' '),
    ...(error.cause !== undefined && { cause: error.cause }),
  });
}

/**
 * The same error for a stream, whose stack goes on with that of the call that made the stream: the
 * stack of the error has no caller, because the platform asks the stream for more.
 *
 * @param call - an `Error` that was made during that call.
 * @internal
 */
export function withCallOf(call: Error, error: unknown): unknown {
  if (!isTableError(error)) return error;
  const made = remade(error);
  // Only some engines begin a stack with the name of the error.
  made.stack = `${made.stack}\n${call.stack?.replace(/^Error\n/, '')}`;
  return made;
}

/**
 * The service's answer to a value that nothing can be made of.
 *
 * @param sentence - what is wrong with it.
 * @internal
 */
export function invalidInput(sentence?: string, cause?: unknown): TableError {
  return new TableError('InvalidInput', 'One of the request inputs is not valid.', {
    sentence,
    ...(cause !== undefined && { cause }),
  });
}

/**
 * The error of a storage that rejected: its own, if that is a {@link TableError}.
 *
 * @internal
 */
export function storageError(cause: unknown, message = 'The storage cannot be read.'): TableError {
  return isTableError(cause) ? cause : new TableError('StorageUnavailable', message, { cause });
}

/**
 * The service's answer to a request for which there is no room at the moment.
 *
 * @internal
 */
export function serverBusy(): TableError {
  return new TableError('ServerBusy', 'The server is busy.');
}

/**
 * Of a request that is refused for its length before anything of it is copied.
 *
 * @internal
 */
export function bodyTooLarge(): TableError {
  return new TableError(
    'RequestBodyTooLarge',
    'The request body is too large and exceeds the maximum permissible limit.',
  );
}

/**
 * Whether something is a {@link TableError}, of whichever copy of this package: a storage may come
 * with one of its own.
 *
 * @internal
 */
export function isTableError(error: unknown): error is TableError {
  return (error as TableError | null | undefined)?.name === 'TableError';
}

/**
 * The error of an aborted call: the signal's reason, or an `AbortError` if it has none.
 *
 * @internal
 */
export function abortError(signal?: { readonly reason?: unknown }): unknown {
  // Some have no reason at all; null is one.
  if (signal?.reason !== undefined) return signal.reason;
  return new DOMException('The operation was aborted.', 'AbortError');
}

/**
 * The error of an import or split transaction that was aborted. `stored` says how much is stored;
 * `cause` is the signal's reason. The reason itself is not changed, because other calls may share it.
 *
 * @internal
 */
export function interruption(
  signal: { readonly reason?: unknown } | undefined,
  stored: number,
): DOMException {
  const cause = abortError(signal);
  const { name, message } = (isObject(cause) ? cause : {}) as Partial<Error>;
  const error = new DOMException(message ?? String(cause), name ?? 'AbortError');
  Object.defineProperty(error, 'cause', { value: cause, configurable: true });
  return Object.assign(error, { stored });
}
