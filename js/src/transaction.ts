/**
 * A list of actions for `submitTransaction`.
 *
 * @module
 */

import type { TableEntity, TransactionAction, UpdateMode, UpdateActionOptions } from './models.js';

/**
 * Collects up to 100 actions on entities of one partition, which come true
 * together or not at all. Collecting never throws: `submitTransaction()` judges.
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

  createEntity<T extends object = Record<string, unknown>>(entity: TableEntity<T>): void {
    this.actions.push(['create', entity]);
  }

  deleteEntity(partitionKey: string, rowKey: string): void {
    this.actions.push(['delete', { partitionKey, rowKey }]);
  }

  /** Updates an entity that exists; by default with `Merge`, whatever its etag. */
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateMode: UpdateMode,
    updateOptions?: UpdateActionOptions,
  ): void;
  updateEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    modeOrOptions: UpdateMode | UpdateActionOptions = 'Merge',
    updateOptions?: UpdateActionOptions,
  ): void {
    const [mode, options] =
      typeof modeOrOptions === 'string'
        ? [modeOrOptions, updateOptions]
        : (['Merge', modeOrOptions] as const);
    this.actions.push(['update', entity, mode, options ?? {}]);
  }

  /** Inserts an entity, or updates the one that is there; by default with `Merge`. */
  upsertEntity<T extends object = Record<string, unknown>>(
    entity: TableEntity<T>,
    updateMode: UpdateMode = 'Merge',
  ): void {
    this.actions.push(['upsert', entity, updateMode]);
  }
}
