/**
 * The rows that the remote account does not have yet.
 *
 * @module
 */

import type { PendingRow, SyncStatus } from './models.js';
import type { TableRounds } from './rounds.js';
import type { PendingGroup } from './steps.js';

/** A group that is not pushed yet, with its table. */
export interface Waiting extends PendingGroup {
  readonly table: TableRounds;
}

/** The groups of all tables. */
export async function waitingIn(tables: Iterable<TableRounds>): Promise<Waiting[]> {
  const all: Waiting[] = [];
  for (const table of tables) {
    for (const group of await table.pending()) all.push({ ...group, table });
  }
  return all;
}

/** How many rows there are, by what becomes of them. */
export async function countedIn(
  tables: Iterable<TableRounds>,
): Promise<Pick<SyncStatus, 'pending' | 'rejected' | 'outside'>> {
  const counts = { pending: 0, rejected: 0, outside: 0 };
  for (const table of tables) {
    for (const row of rowsOf(await table.pending())) counts[stateOf(row, table)]++;
  }
  return counts;
}

const stateOf = ({ partitionKey, rejection }: PendingRow, table: TableRounds) =>
  rejection !== undefined ? 'rejected' : table.isInside(partitionKey) ? 'pending' : 'outside';

/** The rows of groups of one table. A row that is in several groups counts once. */
export function rowsOf(groups: readonly PendingGroup[]): PendingRow[] {
  const rows = new Map<string, PendingRow>();
  for (const { partitionKey, rowKeys, isRejected, error } of groups) {
    for (const rowKey of rowKeys) {
      const name = JSON.stringify([partitionKey, rowKey]);
      const rejection = isRejected ? error : rows.get(name)?.rejection;
      rows.set(name, { partitionKey, rowKey, rejection });
    }
  }
  return [...rows.values()];
}
