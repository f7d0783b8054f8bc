/**
 * Writes entities as a change, or its undo, wants them: each only if it is still as it was.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { isLocal } from '../explorer/limits.js';
import type { Step } from './change.js';
import { writeOne, type Write, type Written } from './write-one.js';

/** Requests of one turn share a commit, or are sent in transactions. */
export const AT_ONCE = 500;

/** Writes up to {@link AT_ONCE} entities. */
export async function writeSteps(
  table: TableClient,
  steps: readonly Step[],
  side: 'before' | 'after',
): Promise<Written[]> {
  const writes = steps.map(({ before, after }): Write =>
    side === 'after' ? { from: before, to: after.entity } : { from: after, to: before.entity },
  );
  if (isLocal(table) || writes.length === 1) {
    return Promise.all(writes.map((write) => writeOne(table, write)));
  }
  const { writeInTransactions } = await import('../remote/write-in-transactions.js');
  return writeInTransactions(table, writes);
}

const CONFLICTS = [
  ...['UpdateConditionNotSatisfied', 'ResourceNotFound', 'EntityAlreadyExists', 'TableNotFound'],
];

/** Whether somebody else has changed, deleted or created the entity, or deleted its table. */
export function isConflict(error: unknown): boolean {
  return error instanceof TableError && CONFLICTS.includes(error.code);
}
