/**
 * Transactions: a list of actions for `submitTransaction`, and its requests.
 *
 * @module
 */

import { interruption, isTableError, remade } from '../base/errors.js';
import { MAX_TRANSACTION_PARTS } from '../base/limits.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AccountSession } from '../core/account-session.js';
import type {
  TableTransactionEntityResponse,
  TransactionAction,
  UpdateActionOptions,
  UpdateMode,
  WritableTableEntity,
} from '../entity/models.js';
import { etagOf, transactionOperation, type PreparedAction } from '../entity/operations.js';

/**
 * Collects up to 100 actions on entities of one partition, which are stored together or not at all.
 * Collecting never throws: `submitTransaction()` checks the actions.
 *
 * @example
 * ```ts
 * const transaction = new TableTransaction();
 * transaction.createEntity({ partitionKey: 'dogs', rowKey: 'ada' });
 * transaction.deleteEntity('dogs', 'rex');
 * await table.submitTransaction(transaction.actions);
 * ```
 */
export class TableTransaction {
  actions: TransactionAction[];

  constructor(actions: TransactionAction[] = []) {
    this.actions = actions;
  }

  createEntity<T extends object = Record<string, unknown>>(entity: WritableTableEntity<T>): void {
    this.actions.push(['create', entity]);
  }

  deleteEntity(partitionKey: string, rowKey: string): void {
    this.actions.push(['delete', { partitionKey, rowKey }]);
  }

  /** Updates an entity that exists; by default with `Merge`, and whatever its etag is. */
  updateEntity<T extends object = Record<string, unknown>>(
    entity: WritableTableEntity<T>,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<T extends object = Record<string, unknown>>(
    entity: WritableTableEntity<T>,
    updateMode: UpdateMode,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<T extends object = Record<string, unknown>>(
    entity: WritableTableEntity<T>,
    modeOrOptions: UpdateMode | UpdateActionOptions = 'Merge',
    updateOptions?: UpdateActionOptions,
  ): void {
    const [mode, options] =
      typeof modeOrOptions === 'string'
        ? [modeOrOptions, updateOptions]
        : (['Merge', modeOrOptions] as const);
    this.actions.push(['update', entity, mode, options ?? {}]);
  }

  /** Inserts an entity, or updates the existing one; by default with `Merge`. */
  upsertEntity<T extends object = Record<string, unknown>>(
    entity: WritableTableEntity<T>,
    updateMode: UpdateMode = 'Merge',
  ): void {
    this.actions.push(['upsert', entity, updateMode]);
  }
}

/** Carries out up to 100 actions as one transaction. */
export async function submitOnce(
  session: AccountSession,
  actions: readonly PreparedAction[],
  abortSignal: AbortSignalLike | undefined,
): Promise<TableTransactionEntityResponse[]> {
  const operation = transactionOperation(actions);
  const rowKeys = actions.map(({ rowKey }) => rowKey as string);
  const { parts } = await session.request(operation, abortSignal);
  return parts.map((part, index) => ({
    status: part.status,
    rowKey: rowKeys[index]!,
    ...etagOf(part),
  }));
}

/**
 * Carries out any number of actions, see `SubmitTransactionOptions.split`. Actions keep their order
 * within a partition. Partitions come in the order of their first actions.
 */
export async function submitSplit(
  session: AccountSession,
  actions: readonly PreparedAction[],
  abortSignal: AbortSignalLike | undefined,
): Promise<TableTransactionEntityResponse[]> {
  const responses = new Array<TableTransactionEntityResponse>(actions.length);
  let stored = 0;
  const parts = partsOf(actions).map((indexes) => ({
    indexes,
    partActions: indexes.map((index) => actions[index]!),
  }));
  for (const { indexes, partActions } of parts) {
    try {
      const answers = await submitOnce(session, partActions, abortSignal);
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
