/**
 * The one place where a failure of the core becomes a JavaScript exception.
 *
 * @module
 */

import { TableError, type ErrorCode, type TableErrorOptions } from '../base/errors.js';

/** What the core answers: a value, or a named failure. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      readonly code: ErrorCode;
      readonly message: string;
      /**
       * In a transaction: the zero-based index of the action that failed. In an import: how many
       * entities are stored.
       */
      readonly operation?: number | undefined;
    };

/** What storage reported when it failed. */
export interface StorageFailure {
  cause?: unknown;
  /** Of the last read that failed. */
  error?: TableError;
  room?: TableErrorOptions['room'];
}

/**
 * Returns the value of a request that succeeded.
 *
 * @param storageFailure - what storage reported last, for an error that is about storage: its cause, and
 * how much room there is, for one that is about that.
 * @throws {@link TableError} under the service's own code, if the request failed.
 */
export function unwrap<T>(outcome: Outcome<T>, storageFailure: StorageFailure = {}): T {
  if (outcome.ok) return outcome.value;
  const { code, message, operation: operationIndex } = outcome;
  // The core begins with it where it knows which value it is.
  const named = /^(?:log|pages)\/\w+(?=: )/.exec(message)?.[0];
  // What the storage itself has found out comes back from the core as it is.
  const { error } = storageFailure;
  const told = error?.code === code && error.message === message ? error : undefined;
  const storageKey = named ?? told?.details.storageKey;
  const isFromStorage = code.startsWith('Storage') && code !== 'StorageDamaged';
  const room = code === 'StorageQuotaExceeded' ? storageFailure.room : undefined;
  const cause = told?.cause ?? (isFromStorage ? storageFailure.cause : undefined);
  const known = { operationIndex, storageKey, room };
  throw new TableError(code, message, cause === undefined ? known : { ...known, cause });
}
