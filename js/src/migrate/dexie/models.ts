/**
 * Options and reports of an import from Dexie.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import type { CallOptions, RowToWrite } from '../../tables/models.js';
import type { Table } from '../../tables/table.js';

/** Tables of an account, by the names of the stores that go into them. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tables of any kind
export type TablesOfStores = Readonly<Record<string, Table<any>>>;

/** An open `IDBDatabase`. */
export interface SourceDatabase {
  readonly name: string;
  readonly version: number;
  readonly objectStoreNames: { readonly length: number; readonly [index: number]: string };
}

/** A `Dexie`. It is opened, with the versions and upgrades of the app, unless it is open. */
export interface DexieLike {
  open(): PromiseLike<unknown>;
  backendDB(): SourceDatabase | null;
}

/** The key of a value in a store of IndexedDB. */
export type SourceKey =
  number | string | Date | ArrayBuffer | ArrayBufferView | readonly SourceKey[];

type Made<T> =
  T extends Table<infer Types>
    ? RowToWrite<Types> | readonly RowToWrite<Types>[] | null | undefined
    : never;

/** For some stores, a function that makes the rows of a value. */
export type Converters<Tables> = {
  readonly [Name in keyof Tables]?: (
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- IndexedDB has no types
    value: any,
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as the value
    key: any,
  ) => Made<Tables[Name]> | Promise<Made<Tables[Name]>>;
};

/** What an import has done with a store so far, in this call and in earlier ones. */
export interface StoreProgress {
  /** How many values the store has. */
  readonly total: number;
  /** How many of them were read. */
  readonly read: number;
  /** How many rows are stored. */
  readonly stored: number;
  /** How many rows were refused. */
  readonly refused: number;
}

/** The progress of an import, after a piece of a store is stored. */
export interface DexieImportProgress extends StoreProgress {
  readonly store: string;
}

/** Options of `importFromDexie`. */
export interface DexieImportOptions<Tables extends TablesOfStores> extends CallOptions {
  /** The tables that get the rows, under the names of their stores. */
  readonly tables: Tables;

  /**
   * For a store whose values are no rows of its table: a function of a value and its key that
   * returns a row, several of them, or nothing to leave the value out. It may be called again for
   * the same value.
   */
  readonly convert?: Converters<Tables> | undefined;

  /** Called when more is stored. */
  readonly onProgress?: ((progress: DexieImportProgress) => void) | undefined;

  /**
   * Called with the error of each row that is refused, when the import has gone past it; such a row
   * is left out for good. Without it, the first one ends the call.
   */
  readonly onRefused?: ((error: TableError) => void) | undefined;
}
