/**
 * Errors of sync, and faults of listeners.
 *
 * @module
 */

import { isTableError, TableError } from '../base/errors.js';
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

/** The error as the status shows it. */
export const tableErrorOf = (error: unknown): TableError =>
  isTableError(error)
    ? error
    : new TableError('InvalidInput', errorOf(error).message, { cause: error });

/** The keys of a row in a message. */
export const keysText = (partitionKey: string, rowKey: string | undefined) =>
  `PartitionKey ${shown(partitionKey)}, RowKey ${shown(rowKey)}`;

/** The error of `settled()` for rows that wait. */
export function notPushed(table: string, { partitionKey, rowKeys }: PendingGroup): TableError {
  return new TableError('TableSynced', 'Rows are not pushed yet.', {
    sentence: `Table ${shown(table)}, ${keysText(partitionKey, rowKeys[0])}.`,
  });
}

/** The error of `settled()` for rows that are refused. */
export function rejection({ partitionKey, rowKeys, error }: PendingGroup): TableError {
  return new TableError('RowsRejected', 'The remote account refuses rows.', {
    statusCode: 0,
    sentence: `${keysText(partitionKey, rowKeys[0])}: ${error}`,
  });
}

/** The error of a round that `stop()` has ended. */
export const stopped = () => new DOMException('The sync was stopped.', 'AbortError');
