/**
 * The tables of a sync, from its options.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { checkedOptions, type KindsOf } from '../base/options.js';
import { shown } from '../base/shown.js';
import type { OpenedAccount } from '../client/opened-account.js';
import { openRemote } from '../remote/open.js';
import type { RemoteTransport } from '../remote/transport.js';
import { Undecided } from './decisions.js';
import type { SyncConflict, SyncOptions, SyncTableOptions, SyncWarning } from './models.js';
import { RemoteSyncTable } from './remote-table.js';
import { TableRounds } from './rounds.js';
import { SyncSteps } from './steps.js';
import type { ToldStatus } from './told-status.js';

const OPTIONS = {
  remote: 'any',
  tables: 'any',
  interval: 'number',
} as const satisfies KindsOf<SyncOptions>;
const TABLE = {
  remoteTable: 'string',
  partitions: 'strings',
  direction: ['both', 'pull'],
  conflict: 'any',
  reconcile: ['poll', 'daily', 'never'],
  archivedAt: 'date',
} as const satisfies KindsOf<SyncTableOptions>;
const POLICIES: readonly unknown[] = ['merge', 'remote', 'local'];

const DEFAULT_INTERVAL_MS = 30_000;
const LEAST_INTERVAL_MS = 1000;

/** What the tables tell and ask of the sync that they are of. */
export interface TableHooks {
  readonly status: ToldStatus;
  readonly warn: (warning: SyncWarning) => void;
  readonly fail: (error: unknown) => void;
  readonly isOver: () => boolean;
  readonly isStopping: () => boolean;
  /** Calls the app's function for a conflict. */
  readonly decide: <T>(decide: () => T | Promise<T>) => Promise<T>;
}

/** Options that are checked. */
export interface CheckedSync {
  readonly transport: RemoteTransport;
  readonly interval: number;
  /** The options of each table, after the name that the app has for it. */
  readonly tables: readonly (readonly [string, SyncTableOptions])[];
}

/**
 * Returns a copy of the options of a sync.
 *
 * @throws {@link TableError} see `syncTables`.
 */
export function checkedSync(options: SyncOptions): CheckedSync {
  const given = checkedOptions('syncTables', options ?? {}, OPTIONS);
  const { remote, tables, interval = DEFAULT_INTERVAL_MS } = given;
  if (!(interval >= LEAST_INTERVAL_MS)) {
    throw invalidInput(`The option interval of syncTables is at least 1000, not ${interval}.`);
  }
  if (!isObject(tables) || Object.keys(tables).length === 0) {
    throw invalidInput(`The option tables of syncTables names tables; it is ${shown(tables)}.`);
  }
  const { transport } = openRemote('remote of syncTables', remote);
  const checked = Object.entries(tables).map(([name, table]) => {
    const own = checkedOptions('tables of syncTables', table ?? {}, TABLE);
    checkTable(own);
    return [name, own] as const;
  });
  return { transport, interval, tables: checked };
}

/** Makes the rounds of all tables. */
export function openTables(
  account: OpenedAccount,
  { transport, tables }: CheckedSync,
  hooks: TableHooks,
): TableRounds[] {
  return tables.map(([given, checked]) => {
    const name = account.tableNameOf(given);
    const remoteName = checked.remoteTable ?? name;
    const table = {
      steps: new SyncSteps(account.session, name, () => account.made()),
      remote: new RemoteSyncTable(transport, remoteName, checked.partitions),
      ...chosen(checked, hooks),
      undecided: new Undecided(),
      progress: (rows: number, sent: number) => hooks.status.progress(name, rows, sent),
      settle: () => hooks.status.settle(),
      warn: (warning: Omit<SyncWarning, 'table'>) => hooks.warn({ table: name, ...warning }),
      fail: hooks.fail,
      isOver: hooks.isOver,
      isStopping: hooks.isStopping,
    };
    return new TableRounds(table, checked);
  });
}

function chosen(
  { partitions, direction, conflict = 'merge' }: SyncTableOptions,
  { decide }: TableHooks,
) {
  return {
    scopes: partitions ? [...new Set(partitions)] : [undefined],
    isReadOnly: direction === 'pull',
    ...(typeof conflict === 'function'
      ? { policy: 'ask', resolve: (of: SyncConflict) => decide(() => conflict(of)) }
      : { policy: conflict, resolve: undefined }),
  };
}

function checkTable({ partitions, direction, archivedAt, conflict = 'merge' }: SyncTableOptions) {
  if (typeof conflict !== 'function' && !POLICIES.includes(conflict)) {
    throw invalidInput(
      `The option conflict is merge, remote, local or a function, not ${shown(conflict)}.`,
    );
  }
  if (archivedAt && direction !== 'pull') {
    throw invalidInput('The option archivedAt of syncTables goes with the direction pull.');
  }
  if (partitions?.length === 0) {
    throw invalidInput('The option partitions of syncTables names at least one partition.');
  }
}
