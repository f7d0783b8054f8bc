/**
 * Transactions: a list of actions for `submitTransaction`, and its requests.
 *
 * @module
 */

import type { AbortSignalLike } from '../base/platform.js';
import type { EntityToMerge, EntityToWrite } from '../entity/entities.js';
import type {
  TableTransactionEntityResponse,
  TransactionAction,
  UpdateActionOptions,
  UpdateMode,
} from '../entity/models.js';
import { etagOf, transactionOperation, type PreparedAction } from '../entity/operations.js';
import type { Requester } from '../core/account-session.js';

/**
 * Collects up to 100 actions on entities of one partition, which are stored together or not at all.
 * Collecting never throws: `submitTransaction()` checks the actions.
 *
 * @example
 * ```ts
 * const transaction = new TableTransaction();
 * transaction.createEntity({ partitionKey: 'dogs', rowKey: 'ada' });
 * transaction.deleteEntity('dogs', 'rex');
 * await table.submitTransaction(transaction);
 * ```
 */
export class TableTransaction<Row extends object = Record<string, unknown>> {
  actions: TransactionAction<Row>[];

  constructor(actions: TransactionAction<Row>[] = []) {
    this.actions = actions;
  }

  createEntity<const T extends object = Row>(entity: EntityToWrite<T, Row>): void {
    push(this.actions, 'create', entity);
  }

  deleteEntity(partitionKey: string, rowKey: string): void {
    push(this.actions, 'delete', { partitionKey, rowKey });
  }

  /** Updates an entity that exists; by default with `Merge`, and whatever its etag is. */
  updateEntity<const T extends object = Row>(
    entity: EntityToMerge<T, Row>,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<const T extends object = Row>(
    entity: EntityToMerge<T, Row>,
    updateMode: 'Merge',
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<const T extends object = Row>(
    entity: EntityToWrite<T, Row>,
    updateMode: UpdateMode,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity(
    entity: object,
    modeOrOptions: UpdateMode | UpdateActionOptions = 'Merge',
    updateOptions?: UpdateActionOptions,
  ): void {
    const [mode, options] =
      typeof modeOrOptions === 'string'
        ? [modeOrOptions, updateOptions]
        : (['Merge', modeOrOptions] as const);
    push(this.actions, 'update', entity, mode, options ?? {});
  }

  /** Inserts an entity, or updates the existing one; by default with `Merge`. */
  upsertEntity<const T extends object = Row>(
    entity: EntityToMerge<T, Row>,
    updateMode?: 'Merge',
  ): void;
  upsertEntity<const T extends object = Row>(
    entity: EntityToWrite<T, Row>,
    updateMode: UpdateMode,
  ): void;
  upsertEntity(entity: object, updateMode: UpdateMode = 'Merge'): void {
    push(this.actions, 'upsert', entity, updateMode);
  }
}

// The methods have checked the types.
function push(actions: unknown[], ...action: unknown[]): void {
  actions.push(action);
}

/** Carries out up to 100 actions as one transaction. */
export async function submitOnce(
  session: Requester,
  actions: readonly PreparedAction[],
  abortSignal: AbortSignalLike | undefined,
  schema?: Uint8Array,
): Promise<TableTransactionEntityResponse[]> {
  const operation = { ...transactionOperation(actions), schema };
  const rowKeys = actions.map(({ rowKey }) => rowKey as string);
  const { parts } = await session.request(operation, abortSignal);
  return parts.map((part, index) => ({
    status: part.status,
    rowKey: rowKeys[index]!,
    ...etagOf(part),
  }));
}
