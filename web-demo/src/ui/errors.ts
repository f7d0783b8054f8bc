/**
 * How failures are put into words: the service's code first, then its sentence.
 *
 * @module
 */

import { TableError } from 'entitable';

import { make } from './dom.js';

/** What to put into an element that shows an error. */
export function errorContent(error: unknown): (Node | string)[] {
  if (!(error instanceof TableError)) return [String((error as Error).message ?? error)];
  return [
    make('strong', { class: 'error-code' }, error.code),
    ' ',
    error.message,
    ...causeContent(error.cause),
  ];
}

// What the storage said, where it is the storage that failed.
function causeContent(cause: unknown): string[] {
  if (!(cause instanceof Error) || !cause.message) return [];
  return [` (${cause.name}: ${cause.message})`];
}
