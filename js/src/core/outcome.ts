/**
 * The one place where a failure of the core becomes a JavaScript exception.
 *
 * @module
 */

import { TableError, type ErrorCode } from '../errors.js';

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

/**
 * Returns the value of a request that succeeded.
 *
 * @param storageFailure - what storage reported last; the cause of an error that is about storage.
 * @throws {@link TableError} under the service's own code, if the request failed.
 */
export function unwrap<T>(outcome: Outcome<T>, storageFailure?: unknown): T {
  if (outcome.ok) return outcome.value;
  const { code, message, operation: operationIndex } = outcome;
  // The core begins with it where it knows which value it is.
  const storageKey = /^(?:log|pages)\/\w+(?=: )/.exec(message)?.[0];
  const isFromStorage = code.startsWith('Storage') && code !== 'StorageDamaged';
  const cause = isFromStorage && storageFailure !== undefined ? { cause: storageFailure } : {};
  throw new TableError(code, message, { operationIndex, storageKey, ...cause });
}
