/**
 * Errors of sync, and faults of listeners.
 *
 * @module
 */

import { TableError } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { PendingGroup } from './steps.js';

/** Calls a listener. Its faults are the app's, and end no round. */
export function call<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

/** Also of what is thrown and is no error. */
export const errorOf = (error: unknown) =>
  isObject(error) ? (error as Error) : new Error(String(error));

/** The error of `forget()`. */
export function notPushed(table: string, { partitionKey, rowKeys }: PendingGroup): TableError {
  const row = `PartitionKey ${shown(partitionKey)}, RowKey ${shown(rowKeys[0])}`;
  return new TableError('TableSynced', 'Rows are not pushed yet.', {
    sentence: `Table ${shown(table)}, ${row}.`,
  });
}

/** The error of `settled()`. */
export function rejection({ partitionKey, rowKeys, error }: PendingGroup): TableError {
  const row = `PartitionKey ${shown(partitionKey)}, RowKey ${shown(rowKeys[0])}`;
  return new TableError('RowsRejected', 'The remote account refuses rows.', {
    statusCode: 0,
    sentence: `${row}: ${error}`,
  });
}

/** The error of a round that `stop()` has ended. */
export const stopped = () => new DOMException('The sync was stopped.', 'AbortError');
