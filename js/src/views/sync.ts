/**
 * Views of the sync of an account: its status, and the states of rows. Nothing of sync itself is
 * imported, so an app without it does not have it.
 *
 * @module
 */

import type { PendingRow, SyncStatus } from '../sync/models.js';
import type { NamedTable, RowState, StateOf, SyncSource } from './models.js';
import { shared } from './queries.js';
import type { View, ViewState } from './view.js';

type States = ReadonlyMap<string, RowState>;

const STOPPED: SyncStatus = {
  state: 'stopped',
  pending: 0,
  rejected: 0,
  outside: 0,
  lastPull: undefined,
  progress: undefined,
  error: undefined,
};
const PENDING_ROW: RowState = { state: 'pending' };
const nothing = () => undefined;

/** The view of the status; undefined while there is no sync. */
export function syncView(sync: SyncSource): View<SyncStatus> | undefined {
  if (!sync) return undefined;
  const state = { value: sync.status, isLoaded: true, isStale: false };
  return shared(sync, 'status', '', () => (report) => sync.subscribe(report), state);
}

/** The status that a view shows. Without a sync, nothing is synced. */
export const statusIn = ({ value = STOPPED }: ViewState<SyncStatus>): SyncStatus => value;

/** The view of the states of the rows of a table; undefined while there is no sync. */
export function rowStatesView(sync: SyncSource, table: NamedTable): View<StateOf> | undefined {
  if (!sync) return undefined;
  const name = typeof table === 'string' ? table : table.tableName;
  return shared(sync, `rows ${name}`, '', () => {
    let last: States = new Map();
    return (report, fail) => {
      const told = (rows: readonly PendingRow[]) => {
        const states = (last = statesOf(rows, last));
        report((row) => row && states.get(keyOf(row)));
      };
      try {
        return sync.subscribePending(name, told, fail);
      } catch (error) {
        fail(error);
        return nothing;
      }
    };
  });
}

/**
 * The states that a view shows.
 *
 * @throws the error that has ended it.
 */
export function statesIn({ value, error }: ViewState<StateOf>): StateOf {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- it was caught
  if (error) throw error;
  return value ?? nothing;
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
