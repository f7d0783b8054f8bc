/**
 * The sync of an account, as components share it: its status, and the states of rows. Nothing of
 * sync itself is imported, so an app without it does not have it.
 *
 * @module
 */

import type { EntityKeys } from '../entity/keys.js';
import type { Live } from '../live/live.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { PendingRow, SyncStatus } from '../sync/models.js';
import type { Table } from '../tables/table.js';
import type { RowState, SyncSource } from './models.js';
import { toldBy } from './queries.js';
import { shared } from './shared.js';

/** The state of a row of any table. */
export type AnyStateOf = (row: object | undefined) => RowState | undefined;

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
export const NOT_KNOWN: AnyStateOf = () => undefined;

/** The status; undefined while there is no sync. */
export function sharedSync(sync: SyncSource): Live<SyncStatus> | undefined {
  if (!sync) return undefined;
  const place = { owner: sync, family: 'status' };
  return shared(toldBy((report) => sync.subscribe(report), sync.status, place, true));
}

/** The states of the rows of a table; undefined while there is no sync. */
export function sharedRowStates(
  sync: SyncSource,
  table: string | object,
): Live<AnyStateOf> | undefined {
  if (!sync) return undefined;
  const { name, fields, keysOf } = namedBy(table);
  let last: States = new Map();
  const listen = (report: (value: AnyStateOf) => void, fail: (error: unknown) => void) => {
    const told = (rows: readonly PendingRow[]) => {
      const states = (last = statesOf(rows, last));
      report((row) => row && states.get(keyOf(keysOf(row))));
    };
    return sync.subscribePending(name, told, fail);
  };
  return shared(
    toldBy(listen, NOT_KNOWN, { owner: sync, family: `rows ${name} ${fields.join()}` }),
  );
}

// The names of a table and of the fields of its keys, and the stored keys of its rows.
function namedBy(table: string | object) {
  const { names, rowKeys } = table as Partial<Table & TableDefinition>;
  const { name, tableName = name } = table as Partial<Table & TableDefinition>;
  return {
    name: typeof table === 'string' ? table : tableName!,
    fields: names?.keys ?? rowKeys?.names ?? [],
    keysOf: (row: object): EntityKeys =>
      names?.keysOf(row) ?? rowKeys?.encode(row as never) ?? (row as EntityKeys),
  };
}

// Keys have no slash.
const keyOf = ({ partitionKey, rowKey }: EntityKeys) => `${partitionKey}/${rowKey}`;

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
