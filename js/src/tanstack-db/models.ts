/**
 * The options of a collection, and its rows.
 *
 * @module
 */

import type {
  BaseCollectionConfig,
  CollectionConfig,
  InferSchemaOutput,
  MutationFnParams,
  StandardSchema,
} from '@tanstack/db';

import type { TableClient } from '../client/table-client.js';

/** A row of a collection. A row that is not stored yet has no etag and no timestamp. */
export type CollectionRow<Row extends object> = Row & { etag?: string; timestamp?: string };

/** A table of the app, or the client of a table, with rows of any type. */
export type AnyTable =
  | Pick<TableClient, 'tableName' | 'countEntities' | 'deleteEntity'>
  | { readonly name: string; readonly count: () => Promise<number> };

type Schema = StandardSchema<unknown>;

/** What a collection of TanStack DB may set beside its table: `id`, `syncMode`, `gcTime`, … */
export type CollectionSettings<Row extends object> = Omit<
  BaseCollectionConfig<Row, string>,
  'getKey' | 'schema' | 'utils' | 'onInsert' | 'onUpdate' | 'onDelete'
>;

/** Options of `tableCollectionOptions`. */
export type TableCollectionConfig<Table, Row extends object> = CollectionSettings<
  CollectionRow<Row>
> & {
  /** The table of the app, or the client of a table. */
  readonly table: Table;
  readonly schema?: never;
};

/** Options of `tableCollectionOptions` with a schema, which TanStack DB checks in each write. */
export type CheckedCollectionConfig<S extends Schema> = CollectionSettings<InferSchemaOutput<S>> & {
  /** The table of the app, or the client of a table. */
  readonly table: AnyTable;
  /** Any Standard Schema; a table definition is one. */
  readonly schema: S;
};

/** The `utils` of a collection. */
export interface TableCollectionUtils {
  /**
   * Writes the mutations of a transaction that belong to this collection. Call it in the
   * `mutationFn` of `createTransaction`. Up to 100 mutations in one partition are stored together
   * or not at all.
   *
   * @throws the error of the table. TanStack DB then rolls the transaction back.
   */
  // A property, because apps take it out of the collection.
  readonly writeMutations: (
    transaction: Pick<MutationFnParams['transaction'], 'mutations'>,
  ) => Promise<void>;
}

/** The options that `createCollection` takes. */
export type TableCollectionOptions<Row extends object> = Omit<
  CollectionConfig<Row, string, never, TableCollectionUtils>,
  'utils'
> & { schema?: never; utils: TableCollectionUtils };

/** The options that `createCollection` takes, with a schema. */
export type CheckedCollectionOptions<S extends Schema> = Omit<
  CollectionConfig<InferSchemaOutput<S>, string, S, TableCollectionUtils>,
  'utils'
> & { schema: S; utils: TableCollectionUtils };
