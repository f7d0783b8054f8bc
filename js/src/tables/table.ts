/**
 * A table of an app: `account.tables.tasks`.
 *
 * @module
 */

import { invalidInput, isTableError } from '../base/errors.js';
import { hasMethod, isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { DeleteEntitiesProgress, UpdateEntitiesProgress } from '../entity/bulk-changes.js';
import type { GivenKeys } from '../entity/keys.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { ImportProgress, ImportSource } from '../transfer/models.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { rewritten, setOf } from './changes.js';
import type {
  CallOptions,
  DeleteManyOptions,
  ImportOptions,
  KeyFieldsOf,
  KeyOf,
  ManyOptions,
  RowChanges,
  RowSource,
  RowToWrite,
  StoredRow,
  TableTypes,
  UpdateManyOptions,
  WriteOptions,
} from './models.js';
import { checked, KINDS, queryOf } from './queries.js';
import type { DeclaredRequests } from './requests.js';
import { TableReads } from './table-reads.js';

/** The table of a declaration: `TableOf<typeof tasks>`. */
export type TableOf<Definition> = Definition extends {
  readonly '~table'?: infer T extends TableTypes | undefined;
}
  ? Table<NonNullable<T>>
  : never;

/** Declared tables, under the names that the app has for them. */
export type DeclaredTables = Readonly<Record<string, TableDefinition>>;

/** Tables of any kind, under the names that the app has for them. */
export type NamedTables = Readonly<Record<string, Table>>;

/**
 * A table that an app has declared, from `openAccount({ tables })`.
 *
 * A write is refused with `SchemaViolation` if the row breaks the declaration; `violations` has
 * everything that is wrong, under the names of the app. Every call may reject with the errors of
 * every call of {@link TableClient}.
 *
 * @typeParam T - the types of its rows: `TableOf<typeof tasks>` is the type of a table.
 */
export class Table<T extends TableTypes = TableTypes> extends TableReads<T> {
  /**
   * Inserts a row.
   *
   * @returns the whole row: with its id, its defaults and its etag.
   * @throws {@link TableError} `EntityAlreadyExists`, if there is a row with this key.
   */
  async insert(row: RowToWrite<T>, options?: CallOptions): Promise<StoredRow<T>> {
    const { signal } = checked<CallOptions>('insert', options);
    let entity: object = {};
    const { etag } = await this.requests.insert(row, signal, (stored) => (entity = stored));
    return storedRowOf(this.requests, entity, etag);
  }

  /**
   * Inserts any number of rows, in steps that are stored as a whole. If a row is at fault, all
   * before it are stored; `details.stored` and `details.entityIndex` of the error say which.
   *
   * @throws {@link TableError} `EntityAlreadyExists`; `SchemaViolation`.
   */
  async insertMany(rows: RowSource<T>, options?: ManyOptions): Promise<ImportProgress> {
    const { signal, onProgress } = checked<ManyOptions>('insertMany', options);
    return await this.requests.import(rows as Iterable<object>, {
      abortSignal: signal,
      onProgress,
    });
  }

  /**
   * Inserts a row, or replaces the one with its key. With `ifUnchanged`, only the row as it was
   * read is replaced.
   *
   * @returns the whole row.
   * @throws {@link TableError} `SchemaViolation`; with `ifUnchanged`, `ResourceNotFound` and
   * `UpdateConditionNotSatisfied`.
   */
  async put(row: RowToWrite<T>, options?: WriteOptions): Promise<StoredRow<T>> {
    const { signal, etag: condition } = optionsOf('put', options);
    let entity: object = {};
    const stored = (one: object) => (entity = one);
    const { etag } = await this.requests.update(
      row as GivenKeys,
      'Replace',
      condition,
      signal,
      stored,
    );
    return storedRowOf(this.requests, entity, etag);
  }

  /**
   * Inserts a row, or changes the properties that are given of the one with its key; null removes
   * an optional one. A new row gets its defaults, and must have all that is required.
   *
   * @throws {@link TableError} `SchemaViolation`; `InvalidInput`, if a field of the key is missing.
   */
  async upsert(
    row: KeyFieldsOf<T> & RowChanges<T> & { etag?: string; timestamp?: string },
    options?: CallOptions,
  ): Promise<{ readonly etag: string }> {
    const { signal } = checked<CallOptions>('upsert', options, KINDS.insert);
    this.names.keysOf(row);
    const written = await this.requests.update(row as GivenKeys, 'Merge', undefined, signal);
    return written as { etag: string };
  }

  /**
   * Changes properties of a row; null removes an optional one. A function gets the row as it is,
   * and returns the changes. If somebody else was faster, it is called again with the new row: up
   * to 100 times, unless the call has `ifUnchanged`. It should have no other effects.
   *
   * @example
   * ```ts
   * await tasks.update(milk, { done: true, due: null });
   * await tasks.update(milk, ({ count }) => ({ count: count + 1 }));
   * ```
   * @throws {@link TableError} `ResourceNotFound`, if there is no such row;
   * `UpdateConditionNotSatisfied`, if it has changed since it was read for `ifUnchanged`.
   */
  async update(
    key: KeyOf<T>,
    changes: RowChanges<T> | ((row: StoredRow<T>) => RowChanges<T>),
    options?: WriteOptions,
  ): Promise<{ readonly etag: string }> {
    const { signal, etag } = optionsOf('update', options);
    const keys = this.names.keysOf(key);
    const given = copyOfChanges(changes);
    const isPlain = given !== changes && !this.names.keys.some((name) => name in given);
    if (!isPlain) {
      return await rewritten(this.requests, keys, given, etag, signal);
    }
    const part = { ...given, ...this.names.fieldsOf(keys) };
    return (await this.requests.update(part, 'Merge', etag ?? ANY_ETAG, signal)) as {
      etag: string;
    };
  }

  /**
   * Deletes a row.
   *
   * @returns whether there was one.
   * @throws {@link TableError} `UpdateConditionNotSatisfied`, if it has changed since it was read
   * for `ifUnchanged`.
   */
  async delete(key: KeyOf<T>, options?: WriteOptions): Promise<boolean> {
    const { signal, etag } = optionsOf('delete', options);
    try {
      await this.requests.delete(this.names.keysOf(key), etag, signal);
      return true;
    } catch (error) {
      if (isTableError(error) && error.code === 'ResourceNotFound') return false;
      throw error;
    }
  }

  /**
   * Deletes all rows that fit, in steps of up to 1000. If the call fails or is aborted, the steps
   * before are stored, and the same call deletes the rest.
   *
   * @throws {@link TableError} `InvalidInput`, if there is no filter, or it is wrong.
   */
  async deleteMany(options: DeleteManyOptions<T>): Promise<DeleteEntitiesProgress> {
    const { where, onProgress, signal } = checked<DeleteManyOptions<T>>('deleteMany', options);
    const { dialect, filter } = queryOf(this.names, { where });
    const bounds = { filter: checkedFilter('deleteMany', filter), dialect, onProgress };
    return await this.requests.deleteAll({ ...bounds, abortSignal: signal });
  }

  /**
   * Changes properties of all rows that fit, in steps of up to 1000. A function is called again for
   * a row that somebody changes meanwhile.
   *
   * @throws {@link TableError} `InvalidInput`, if there is no filter, or it is wrong, or a key is
   * among the changes; `SchemaViolation`, unless `onRefused` takes it.
   */
  async updateMany(options: UpdateManyOptions<T>): Promise<UpdateEntitiesProgress> {
    const given = checked<UpdateManyOptions<T>>('updateMany', options);
    const { where, set, signal, onProgress, onRefused } = given;
    const { dialect, filter } = queryOf(this.names, { where });
    const bounds = {
      filter: checkedFilter('updateMany', filter),
      ...{ dialect, abortSignal: signal, onProgress, onRefused },
    };
    const { names, requests } = this;
    const own = copyOfChanges(set);
    return await requests.updateAll(setOf(names, own), bounds);
  }

  /**
   * Loads any number of rows, or the bytes of an export. Bytes are stored as they are: their keys
   * are the stored ones, and they get no defaults.
   *
   * @throws {@link TableError} `EntityAlreadyExists`, unless the mode updates; `SchemaViolation`;
   * `InvalidInput`, if the source has something else than rows.
   */
  async import(
    source: RowSource<T, Uint8Array> | Uint8Array,
    options?: ImportOptions,
  ): Promise<ImportProgress> {
    const { signal, mode, onProgress } = checked<ImportOptions>('import', options);
    const bounds = { mode, onProgress, abortSignal: signal };
    return await this.requests.import(source as ImportSource, bounds);
  }
}

// What are no properties is refused later.
const copyOfChanges = (changes: object): object =>
  isObject(changes) && !Array.isArray(changes) && !hasMethod(changes, 'then')
    ? { ...changes }
    : changes;

/** The options of a write, with the etag on which it depends. */
function optionsOf(owner: string, options: WriteOptions | undefined) {
  const { signal, ifUnchanged } = checked<WriteOptions>(owner, options, KINDS.write);
  if (ifUnchanged === undefined) return { signal, etag: undefined };
  const etag: unknown = isObject(ifUnchanged) ? ifUnchanged.etag : undefined;
  if (typeof etag === 'string') return { signal, etag };
  throw invalidInput(
    `The option ifUnchanged of ${owner} must be a row as it was read, with its etag, not ` +
      `${shown(ifUnchanged)}.`,
  );
}

/**
 * Refuses a missing filter: a variable without a value must not change a whole table.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
function checkedFilter(owner: string, filter: string | undefined): string {
  if (filter?.trim()) return filter;
  throw invalidInput(`${owner} needs where. 'true' is the filter of all rows.`);
}

/** The row of an entity that was stored, with its new etag. */
function storedRowOf<T extends TableTypes>(
  { rows }: DeclaredRequests,
  entity: object,
  etag: string | undefined,
): StoredRow<T> {
  // The etag is the time of the write, in the form of an address.
  const time = /datetime'(.*)'/.exec(etag ?? '')?.[1];
  const timestamp = time && decodeURIComponent(time);
  return rows.rowOf({ ...entity, etag, timestamp }) as StoredRow<T>;
}
