/**
 * A table as a collection of TanStack DB.
 *
 * @module
 */

import type { StandardSchema, SyncConfig } from '@tanstack/db';

import type { TableClient } from './client/table-client.js';
import type { TableRequests } from './client/table-requests.js';
import type { EntityKeys } from './entity/keys.js';
import type {
  CheckedCollectionConfig,
  CheckedCollectionOptions,
  CollectionRow,
  TableCollectionConfig,
  TableCollectionOptions,
  TableCollectionUtils,
} from './tanstack-db/models.js';
import { rowKeyOf } from './tanstack-db/row-keys.js';
import type { StoredRow } from './tanstack-db/subset.js';
import { SyncedRows } from './tanstack-db/synced-rows.js';
import { TableWriter, type Mutation } from './tanstack-db/table-writer.js';
import type { TableTypes } from './tables/models.js';
import type { Table } from './tables/table.js';

export type {
  AnyTable,
  CheckedCollectionConfig,
  CheckedCollectionOptions,
  CollectionRow,
  CollectionSettings,
  TableCollectionConfig,
  TableCollectionOptions,
  TableCollectionUtils,
} from './tanstack-db/models.js';

/**
 * Returns options for `createCollection` of TanStack DB, which make a table a collection.
 *
 * A live query loads only the rows that its conditions select. With `syncMode: 'eager'`, the
 * collection loads the whole table at once. Loaded rows stay up to date when any client writes. The
 * key of a row is the property that is its key, `tasks.delete(id)`. If the key has several
 * properties, it is the PartitionKey, a slash, and the RowKey: `tasks.delete('home/1')`.
 *
 * Inserts, updates and deletes show at once, and are then written to the table. If the table
 * refuses one, it is rolled back: `transaction.when('settled')` is rejected with the
 * {@link TableError}. An update of a row that another client has changed since fails with
 * `UpdateConditionNotSatisfied`. A delete does not check this. Up to 100 mutations of one
 * transaction in one partition are stored together or not at all.
 *
 * @example
 * ```ts
 * const { tasks: table } = account.tables;
 * const collection = createCollection(tableCollectionOptions({ table, schema: tasks }));
 * ```
 */
export function tableCollectionOptions<T extends TableTypes>(
  config: TableCollectionConfig<Table<T>, T['row']>,
): TableCollectionOptions<CollectionRow<T['row']>>;
export function tableCollectionOptions<Row extends object>(
  config: TableCollectionConfig<TableClient<Row>, Row & EntityKeys>,
): TableCollectionOptions<CollectionRow<Row & EntityKeys>>;
export function tableCollectionOptions<S extends StandardSchema<unknown>>(
  config: CheckedCollectionConfig<S>,
): CheckedCollectionOptions<S>;
export function tableCollectionOptions(config: { readonly table: unknown }): object {
  const { table, ...settings } = config as { readonly syncMode?: string; readonly table: object };
  const { requests } = table as { readonly requests: TableRequests };
  const writer = new TableWriter(requests);
  const write = ({ transaction }: { transaction: { mutations: readonly unknown[] } }) =>
    writer.write(transaction.mutations as readonly Mutation[]);
  const utils: TableCollectionUtils = {
    writeMutations: ({ mutations }) => {
      return writer.write(mutations.filter(({ collection }) => collection.utils === utils));
    },
  };
  const sync: SyncConfig<StoredRow, string>['sync'] = (params) => {
    const rows = new SyncedRows(requests, params, settings.syncMode === 'eager');
    writer.rows = rows;
    const cleanup = () => {
      rows.end();
      if (writer.rows === rows) writer.rows = undefined;
    };
    return { cleanup, loadSubset: rows.load, unloadSubset: rows.unload };
  };
  return {
    syncMode: 'on-demand',
    // The order of keys in the table.
    defaultStringCollation: { stringSort: 'lexical' },
    ...settings,
    getKey: (row: object) => rowKeyOf(requests.rows, row),
    onInsert: write,
    onUpdate: write,
    onDelete: write,
    sync: { sync, rowUpdateMode: 'full' },
    utils,
  };
}
