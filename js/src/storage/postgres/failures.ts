/**
 * What an error of PostgreSQL, or of the connection to it, says about the statement and to people.
 *
 * @module
 */

import { isTableError, TableError } from '../../base/errors.js';

// A state of SQL has five characters. So has EPIPE, which is an error of the connection.
const STATE = /^(?!EPIPE)[0-9A-Z]{5}$/;

/** The state of an error of the server; undefined: the connection failed. */
function stateOf(cause: unknown): string | undefined {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' && STATE.test(code) ? code : undefined;
}

// Errors that end a transaction without a commit, and leave the connection as it is. Others end
// the connection, and the server may have committed before. So do 25P03 and 25P04. With 40003 the
// server itself does not know.
const ROLLS_BACK = /^(0A|21|22|23|25|28|2B|34|3D|3F|40|42|44|53|54|55|57014)/;
const MAY_HAVE_COMMITTED = /^(25P0[34]|40003)$/;

/** Whether the transaction of the statement was certainly rolled back. */
export function isRolledBack(cause: unknown): boolean {
  const state = stateOf(cause) ?? '';
  return ROLLS_BACK.test(state) && !MAY_HAVE_COMMITTED.test(state);
}

/** Whether the transaction was rolled back only because others were under way. */
export const isRace = (cause: unknown): boolean => /^(40001|40P01)$/.test(stateOf(cause) ?? '');

/** Whether a disk has no room for the transaction. */
export const isFull = (cause: unknown): boolean => stateOf(cause) === '53100';

/** Whether somebody else has created the same table at the same time. */
export const isCreated = (cause: unknown): boolean =>
  /^(23505|42P07|42710)$/.test(stateOf(cause) ?? '');

// The connection has ended, or the server starts, stops, or has no connection left.
const PASSING_STATE = /^(08...|53300|57P0[1235])$/;

/** Whether a connection may be possible again within seconds. */
export function isPassing(cause: unknown): boolean {
  const state = stateOf(cause);
  return state === undefined || PASSING_STATE.test(state);
}

const RIGHTS =
  'The role needs the rights SELECT, INSERT, UPDATE and DELETE on the table; to create the table, it ' +
  'also needs CREATE on the schema.';

// What to do, by the beginning of the state.
const SENTENCES: Readonly<Record<string, string>> = {
  '25006': 'This PostgreSQL server only reads. Connect to the primary server.',
  '28':
    'PostgreSQL refuses the user or the password. Correct them in the connection string or in ' +
    'PGPASSWORD.',
  '3D000': 'The database does not exist. Create it, or name another one.',
  '3F000': 'The schema of the table does not exist. Create it, or correct the option table.',
  '42501': RIGHTS,
  '42P01': 'The table of the store does not exist any more.',
  '53100': 'A disk of PostgreSQL is full. Free space on it.',
  '53300':
    'PostgreSQL has no connection left. Give each process a smaller pool, or raise max_connections.',
  '57014':
    'PostgreSQL has cancelled the statement. Raise statement_timeout, or find what cancels it.',
};

/** The error that callers get. Its `cause` is the error of PostgreSQL. */
export function storageFailure(cause: unknown): TableError {
  if (isTableError(cause)) return cause;
  const state = stateOf(cause);
  const { message = String(cause), code } = (cause ?? {}) as { message?: string; code?: unknown };
  if (state === undefined) {
    const why = message || String(code);
    return new TableError('StorageUnavailable', `PostgreSQL cannot be reached: ${why}.`, { cause });
  }
  const known = Object.keys(SENTENCES).find((start) => state.startsWith(start));
  const sentence = known ? SENTENCES[known]! : 'PostgreSQL refuses a statement of the storage.';
  return new TableError('StorageUnavailable', `${sentence} It says: ${message} (${state}).`, {
    cause,
  });
}
