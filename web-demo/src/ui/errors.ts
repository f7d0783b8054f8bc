/**
 * Shows errors: the code of the service, then the message.
 *
 * @module
 */

import { TableError } from 'entitable';

import { make } from './dom.js';

/** The content of an element that shows an error. */
export function errorContent(error: unknown): (Node | string)[] {
  if (!(error instanceof TableError)) return [String((error as Error).message ?? error)];
  return [...codeAndMessage(error), ...causeContent(error.cause), ...remedyOf(error)];
}

// Only a remote account answers so.
function remedyOf({ statusCode }: TableError): string[] {
  const isRefused = statusCode === 401 || statusCode === 403;
  return isRefused ? [' The signature does not permit this, or has expired.'] : [];
}

/** The content of an element that shows why the service refuses something. */
export function codeAndMessage({
  code,
  message,
}: Pick<TableError, 'code' | 'message'>): (Node | string)[] {
  return [make('strong', { class: 'error-code' }, code), ' ', message];
}

// The error of the storage, if the storage has failed.
function causeContent(cause: unknown): string[] {
  if (!(cause instanceof Error) || !cause.message) return [];
  return [` (${cause.name}: ${cause.message})`];
}
