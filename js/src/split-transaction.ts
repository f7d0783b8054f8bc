/**
 * More actions than one transaction has.
 *
 * @module
 */

import type { PreparedAction } from './entity-operations.js';
import type { interruption, isTableError, remade } from './errors.js';
import type { TableTransactionEntityResponse } from './models.js';
import type { AbortSignalLike } from './platform.js';

const MAX_ACTIONS = 100;

/** The functions that this script shares with the clients. */
interface Errors {
  readonly isTableError: typeof isTableError;
  readonly remade: typeof remade;
  readonly interruption: typeof interruption;
}

/**
 * See `SubmitTransactionOptions.split`. Actions keep their order within a partition; partitions come
 * in that of their first action.
 *
 * @param submit - carries out up to 100 actions as one transaction.
 */
export async function submitSplit(
  submit: (actions: readonly PreparedAction[]) => Promise<TableTransactionEntityResponse[]>,
  errors: Errors,
  actions: readonly PreparedAction[],
  signal: AbortSignalLike | undefined,
): Promise<TableTransactionEntityResponse[]> {
  const responses = new Array<TableTransactionEntityResponse>(actions.length);
  let stored = 0;
  const parts = partsOf(actions).map((part) => ({
    part,
    partActions: part.map((index) => actions[index]!),
  }));
  for (const { part, partActions } of parts) {
    try {
      const answers = await submit(partActions);
      answers.forEach((response, i) => (responses[part[i]!] = response));
      stored += part.length;
    } catch (error) {
      if (!errors.isTableError(error)) {
        throw signal?.aborted ? errors.interruption(signal, stored) : error;
      }
      // The index among all actions, and how many of them are stored.
      const { operationIndex: index } = error.details;
      const operationIndex = index === undefined ? undefined : part[index];
      throw errors.remade(error, { operationIndex, stored });
    }
  }
  return responses;
}

// The indexes of the actions of each transaction: of one partition, and no entity twice.
function partsOf(actions: readonly PreparedAction[]): number[][] {
  const parts: number[][] = [];
  const open = new Map<unknown, { part: number[]; rowKeys: Set<unknown> }>();
  actions.forEach(({ partitionKey, rowKey }, index) => {
    let last = open.get(partitionKey);
    if (!last || last.part.length === MAX_ACTIONS || last.rowKeys.has(rowKey)) {
      last = { part: [], rowKeys: new Set() };
      open.set(partitionKey, last);
      parts.push(last.part);
    }
    last.part.push(index);
    last.rowKeys.add(rowKey);
  });
  return parts;
}
