/**
 * Runs a function as a transaction of an account.
 *
 * @module
 */

import { remade } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
import { TransactionSession } from './transaction-session.js';

export { Calls } from './calls.js';

/** How often a transaction is repeated, before it fails with `TransactionConflict`. */
export const MOST_REPETITIONS = 20;

// Of a pause, in milliseconds. It doubles from one to the next.
const LONGEST_PAUSE_MS = 200;

/**
 * Runs a function whose reads see the account at one moment, and whose writes are stored all or
 * none, if nothing of what it has read was changed meanwhile. Otherwise it runs again.
 *
 * @param run - all requests of the transaction go through its argument, and end before it does.
 * @param triesOut - see `TransactionSession`.
 * @throws {@link TableError} `TransactionConflict`, if it was in vain each time;
 * `RequestBodyTooLarge`, if it has written too much; and what `run` throws.
 */
export async function runInTransaction<T>(
  session: AccountSession,
  run: (transaction: TransactionSession) => T | Promise<T>,
  signal?: AbortSignalLike,
  triesOut?: boolean,
): Promise<T> {
  for (let repetitions = 0; ; repetitions++) {
    const transaction = new TransactionSession(session, signal, triesOut);
    try {
      const result = await run(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      transaction.end();
      const { conflict } = transaction;
      if (!conflict) throw error;
      if (repetitions === MOST_REPETITIONS) throw remade(conflict, { sentence: IN_VAIN });
    }
    await pause(repetitions);
  }
}

const IN_VAIN =
  `The transaction was repeated ${MOST_REPETITIONS} times. ` +
  'If nobody else writes, the function does so itself, by other tables than those of its argument.';

// Others that were in conflict with this one get out of step.
function pause(repetitions: number): Promise<void> {
  const most = Math.min(2 ** repetitions, LONGEST_PAUSE_MS);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
