/**
 * Carries out more actions than a transaction can have. It is loaded on demand.
 *
 * @module
 */

import { interruption, isTableError, remade } from '../base/errors.js';
import { MAX_TRANSACTION_PARTS } from '../base/limits.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { TableTransactionEntityResponse } from '../entity/models.js';
import type { PreparedAction } from '../entity/operations.js';
import type { Requester } from '../core/account-session.js';
import { submitOnce } from './transaction.js';

/**
 * Carries out any number of actions, see `SubmitTransactionOptions.split`. Actions keep their order
 * within a partition. Partitions come in the order of their first actions.
 */
export async function submitSplit(
  session: Requester,
  actions: readonly PreparedAction[],
  abortSignal: AbortSignalLike | undefined,
  schema?: Uint8Array,
): Promise<TableTransactionEntityResponse[]> {
  const responses = new Array<TableTransactionEntityResponse>(actions.length);
  let stored = 0;
  const parts = partsOf(actions).map((indexes) => ({
    indexes,
    partActions: indexes.map((index) => actions[index]!),
  }));
  for (const { indexes, partActions } of parts) {
    try {
      // eslint-disable-next-line entitable/arguments-before-await -- a definition never changes
      const answers = await submitOnce(session, partActions, abortSignal, schema);
      answers.forEach((response, i) => (responses[indexes[i]!] = response));
      stored += indexes.length;
    } catch (error) {
      if (!isTableError(error)) {
        throw abortSignal?.aborted ? interruption(abortSignal, stored) : error;
      }
      // The index among all actions, and the number of stored actions.
      const { operationIndex: index } = error.details;
      const operationIndex = index === undefined ? undefined : indexes[index];
      throw remade(error, { operationIndex, stored });
    }
  }
  return responses;
}

// The indexes of the actions of each transaction. A transaction has one partition, and no entity
// twice.
function partsOf(actions: readonly PreparedAction[]): number[][] {
  const parts: number[][] = [];
  const open = new Map<unknown, { part: number[]; rowKeys: Set<unknown> }>();
  actions.forEach(({ partitionKey, rowKey }, index) => {
    let last = open.get(partitionKey);
    if (!last || last.part.length === MAX_TRANSACTION_PARTS || last.rowKeys.has(rowKey)) {
      last = { part: [], rowKeys: new Set() };
      open.set(partitionKey, last);
      parts.push(last.part);
    }
    last.part.push(index);
    last.rowKeys.add(rowKey);
  });
  return parts;
}
