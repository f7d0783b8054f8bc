/**
 * Every failure, under one class.
 *
 * @module
 */

import { ERROR_CODES, type ErrorCode } from './error-codes.js';
import type { Issue } from './issue.js';
import { isObject } from './kinds.js';

/** How much room a storage has, in bytes. A size that the storage does not know is missing. */
export interface StorageRoom {
  /** About how many bytes are used, also by others that share the room. */
  readonly usage?: number | undefined;

  /** How many bytes may be used at most. */
  readonly quota?: number | undefined;
}

/** The error payload of the service, in the form of the official client. */
export interface ErrorDetails {
  /** Only the text of the service. The `message` of the error adds a sentence of ours. */
  readonly odataError: {
    readonly code: ErrorCode;
    readonly message: { readonly lang: string; readonly value: string };
  };

  /** The table of the call. */
  readonly table?: string;

  /**
   * The keys of the call. In a transaction: of the action that failed. In an import: of the entity
   * at fault, if both could be read.
   */
  readonly partitionKey?: string;
  readonly rowKey?: string;

  /** In a transaction: the zero-based index of the action that failed. */
  readonly operationIndex?: number;

  /** In an import: the zero-based index of the entity at fault, if an entity is at fault. */
  readonly entityIndex?: number;

  /**
   * In an import: how many entities are stored, from the first of the input on. In
   * `deleteEntities` and `updateEntities`: how many were changed. After `StorageOutcomeUnknown` or
   * `ModuleAborted`, the next step may be stored, too.
   */
  readonly stored?: number;

  /** The stored value that is damaged or of a newer version, if it is known: `pages/17`, say. */
  readonly storageKey?: string;

  /**
   * Of `StorageQuotaExceeded`, in bytes: how much the commit needed, which may hold other writes,
   * too; and the sizes that the storage knows.
   */
  readonly room?: StorageRoom & { readonly needed: number };

  /**
   * In an import of an archive: the first line that is not stored, from 1. In an import of JSON
   * Lines: the line of the entity at fault, from 1, without empty lines.
   */
  readonly line?: number;

  /** From a remote account: the name of the request in the logs of the service. */
  readonly requestId?: string;
}

/** Optional parts of a {@link TableError}. */
export interface TableErrorOptions {
  /** The reason for it. */
  readonly cause?: unknown;
  /** Follows the text of the service. */
  readonly sentence?: string | undefined;
  readonly issues?: readonly Issue[] | undefined;
  readonly table?: string | undefined;
  readonly partitionKey?: string | undefined;
  readonly rowKey?: string | undefined;
  readonly operationIndex?: number | undefined;
  readonly entityIndex?: number | undefined;
  readonly stored?: number | undefined;
  readonly line?: number | undefined;
  readonly storageKey?: string | undefined;
  readonly room?: ErrorDetails['room'] | undefined;
  readonly requestId?: string | undefined;
  /** Of a code that is not in {@link ERROR_CODES}. */
  readonly statusCode?: number | undefined;
}

/**
 * The one error that this package rejects with, except for the reason of an `abortSignal`. It has
 * the members of a failed request in the official client's `RestError`. `cause` is the error of the
 * storage, if there is one.
 */
export class TableError extends Error {
  override readonly name = 'TableError';
  readonly code: ErrorCode;
  readonly statusCode: number;
  readonly details: ErrorDetails;

  /** Every rule that the entity or the name breaks, if it was refused for that. */
  readonly issues: readonly Issue[];

  /**
   * The message is the text of the service, then what else is known: the value at fault, the table
   * and the keys. For a failed transaction it begins with the index, `"3:"`, as in the service.
   */
  constructor(code: ErrorCode, text: string, options: TableErrorOptions = {}) {
    const { sentence, issues = [], room, storageKey, cause, statusCode, ...places } = options;
    const { operationIndex } = places;
    const value = operationIndex === undefined ? text : `${operationIndex}:${text}`;
    super(sentence ? `${value} ${sentence}` : value, 'cause' in options ? { cause } : undefined);
    this.code = code;
    this.statusCode = statusCode ?? ERROR_CODES[code as keyof typeof ERROR_CODES];
    this.issues = issues;
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
 * What to do when values of a store are damaged.
 *
 * @internal
 */
export const HOW_TO_REPAIR =
  'verify() of "entitable/recovery" lists what is damaged, and repair() saves the rest.';

/**
 * The same error with more details. It is a new error, so that its stack names the caller of
 * the asynchronous function. The stack of the first error names only a turn of the event loop.
 *
 * @param words - returns what follows the text of the service in other words.
 * @internal
 */
export function remade(
  error: TableError,
  more: TableErrorOptions = {},
  words: (sentence: string) => string = (sentence) => sentence,
): TableError {
  const { odataError, ...details } = error.details;
  const { value } = odataError.message;
  const index = details.operationIndex;
  const text = index === undefined ? value : value.slice(`${index}:`.length);
  const sentences = [words(error.message.slice(value.length).trim()), more.sentence];
  return new TableError(error.code, text, {
    ...details,
    statusCode: error.statusCode,
    issues: error.issues,
    ...more,
    sentence: sentences.filter(Boolean).join(' '),
    ...(error.cause !== undefined && { cause: error.cause }),
  });
}

/**
 * The same error for a stream. Its stack goes on with the stack of the call that made the stream.
 * Without that it has no caller, because the platform pulls the stream.
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
 * The error of the service for a value that is not valid.
 *
 * @param sentence - what is wrong with the value.
 * @internal
 */
export function invalidInput(sentence?: string, cause?: unknown): TableError {
  return new TableError('InvalidInput', 'One of the request inputs is not valid.', {
    sentence,
    ...(cause !== undefined && { cause }),
  });
}

/**
 * The error of a value with issues. The first one decides the code, as in the core.
 *
 * @internal
 */
export function errorOfIssues(issues: readonly Issue[], more?: TableErrorOptions): TableError {
  const { code = 'SchemaViolation', refusal, message } = issues[0]!;
  return new TableError(code, refusal ?? message, { ...more, issues });
}

/**
 * The error of a storage that rejected: its own, if that is a {@link TableError}.
 *
 * @internal
 */
export function storageError(cause: unknown, message = 'The storage cannot be read.'): TableError {
  try {
    if (isTableError(cause) && isWhole(cause)) return cause;
  } catch {
    // An adapter may reject with an object whose members throw.
  }
  return new TableError('StorageUnavailable', message, { cause });
}

// The message goes through the core, which has little memory for it.
const MAX_STORAGE_MESSAGE = 4096;

const isWhole = ({ code, message }: TableError) =>
  Object.hasOwn(ERROR_CODES, code) &&
  typeof message === 'string' &&
  message.length <= MAX_STORAGE_MESSAGE;

/**
 * The error of the service for a request that has no room at the moment.
 *
 * @internal
 */
export function serverBusy(): TableError {
  return new TableError('ServerBusy', 'The server is busy.');
}

/**
 * The error of a request that is refused for its length before anything is copied.
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
 * Whether something is a {@link TableError} of any copy of this package. A storage may bring its
 * own copy.
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
  // Some signals have no reason at all; null is a reason.
  if (signal?.reason !== undefined) return signal.reason;
  return new DOMException('The operation was aborted.', 'AbortError');
}

/**
 * The error of an import or split transaction that was aborted. `stored` says how much is stored;
 * `cause` is the signal's reason. The reason itself is not changed, because other calls may share
 * it.
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
