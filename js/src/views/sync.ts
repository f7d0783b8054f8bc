/**
 * The sync of an account, as components share it: its status, and the states of rows. Nothing of
 * sync itself is imported, so an app without it does not have it.
 *
 * @module
 */

import { Live } from '../live/live.js';
import type { PendingRow, SyncStatus } from '../sync/models.js';
import type { NamedTable, RowState, StateOf, SyncSource } from './models.js';
import { toldBy } from './queries.js';
import { shared } from './shared.js';

type States = ReadonlyMap<string, RowState>;

/** The status without a sync. */
export const STOPPED: SyncStatus = {
  state: 'stopped',
  pending: 0,
  rejected: 0,
  outside: 0,
  lastPull: undefined,
  progress: undefined,
  error: undefined,
};
const PENDING_ROW: RowState = { state: 'pending' };
/** The states of rows of which nothing is known. */
export const NOT_KNOWN: StateOf = () => undefined;

/** The status; undefined while there is no sync. */
export function sharedSync(sync: SyncSource): Live<SyncStatus> | undefined {
  if (!sync) return undefined;
  const source = toldBy<SyncStatus>((report) => sync.subscribe(report));
  return shared(sync, 'status', '', (onError) => new Live(source, { onError }, sync.status, true));
}

/** The states of the rows of a table; undefined while there is no sync. */
export function sharedRowStates(sync: SyncSource, table: NamedTable): Live<StateOf> | undefined {
  if (!sync) return undefined;
  const name = typeof table === 'string' ? table : table.tableName;
  let last: States = new Map();
  const source = toldBy<StateOf>((report, fail) => {
    const told = (rows: readonly PendingRow[]) => {
      const states = (last = statesOf(rows, last));
      report((row) => row && states.get(keyOf(row)));
    };
    return sync.subscribePending(name, told, fail);
  });
  return shared(sync, `rows ${name}`, '', (onError) => new Live(source, { onError }, NOT_KNOWN));
}

// Keys have no slash.
const keyOf = ({ partitionKey, rowKey }: Pick<PendingRow, 'partitionKey' | 'rowKey'>) =>
  `${partitionKey}/${rowKey}`;

// A state that did not change stays the same object.
function statesOf(rows: readonly PendingRow[], last: States): States {
  return new Map(
    rows.map((row) => {
      const { rejection: reason } = row;
      const key = keyOf(row);
      const before = last.get(key);
      if (reason === undefined) return [key, PENDING_ROW];
      return [key, before?.reason === reason ? before : { state: 'rejected', reason }];
    }),
  );
}
