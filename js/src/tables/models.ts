/**
 * The types of the tables of an app.
 *
 * @module
 */

import type { AbortSignalLike, StreamLike } from '../base/platform.js';
import type { TableError } from '../base/errors.js';
import type {
  Aggregate,
  AggregateFunction,
  AggregateOptions,
  Aggregates,
  GroupBy,
} from '../entity/aggregates.js';
import type { UpdateEntitiesProgress } from '../entity/bulk-changes.js';
import type { OrderableName, OrderTerm } from '../entity/models.js';
import type { ImportMode, ImportProgress } from '../transfer/models.js';

/** What the compiler knows of a declared table. */
export interface TableTypes {
  /** A row as reads return it. */
  readonly row: object;
  /** A row as writes take it. */
  readonly input: object;
  /** The names of the fields of its key. */
  readonly key: string;
  /** The names of the properties that are not stored in parts. */
  readonly plain: string;
  /** A function of the properties that returns a condition. */
  readonly where: unknown;
  /** The same with what the service has alone. */
  readonly serviceWhere: unknown;
}

/** A row as reads return it. */
export type StoredRow<T extends TableTypes> = T['row'] & { etag: string; timestamp: string };

/** The names that `select` takes; undefined, if it is missing. */
export type SelectNames<T extends TableTypes> =
  readonly (keyof StoredRow<T> & string)[] | undefined;

/** The selected properties of a row. The fields of its key and its etag are always there. */
export type PartOfRow<T extends TableTypes, Names extends SelectNames<T>> = Names extends readonly [
  string,
  ...string[],
]
  ? Pick<StoredRow<T>, Extract<Names[number] | T['key'] | 'etag', keyof StoredRow<T>>>
  : StoredRow<T>;

/** The fields of the key of a row. */
export type KeyFieldsOf<T extends TableTypes> = Pick<T['row'], T['key'] & keyof T['row']>;

type IsOne<Name, All = Name> = [Name] extends [never]
  ? false
  : Name extends All
    ? [All] extends [Name]
      ? true
      : false
    : false;

/**
 * What names a row: a row, of which only the key counts; an object with the fields of the key; or
 * the value of the only field.
 */
export type KeyOf<T extends TableTypes> =
  KeyFieldsOf<T> | (true extends IsOne<T['key']> ? T['row'][T['key'] & keyof T['row']] : never);

/** A row to write. An etag and a timestamp of an earlier read have no effect. */
export type RowToWrite<T extends TableTypes> = T['input'] & { etag?: string; timestamp?: string };

type Nullable<Input, Row> = {
  [Name in keyof Input]?:
    | Input[Name]
    // Only a property that rows may lack can be removed.
    | (Name extends keyof Row ? (object extends Pick<Row, Name> ? null : never) : never)
    | undefined;
};

/** The properties to change; null removes an optional one. */
export type RowChanges<T extends TableTypes> = Nullable<Omit<T['input'], T['key']>, T['row']>;

/** Any number of rows to write, and pieces of something else between them. */
export type RowSource<T extends TableTypes, Pieces = never> =
  // An iterable of its own, which errors of the compiler are about: they name the property.
  | RowToWrite<T>[]
  | Iterable<RowToWrite<T>>
  | AsyncIterable<RowToWrite<T> | Pieces>
  | StreamLike<RowToWrite<T> | Pieces>;

/** Options of every call. */
export interface CallOptions {
  /** Rejects the call with the reason of the signal. */
  signal?: AbortSignalLike | undefined;
}

/** Options of a write of one row. */
export interface WriteOptions extends CallOptions {
  /**
   * A row as it was read: if it has changed since then, the write is rejected with
   * `UpdateConditionNotSatisfied`.
   */
  ifUnchanged?: { readonly etag: string } | undefined;
}

/** Which rows. */
export interface WhereOptions<T extends TableTypes> extends CallOptions {
  /**
   * A function of the properties, or the text of a filter with their names; by default all rows.
   *
   * @example
   * ```ts
   * await tasks.list({ where: ({ done, due }) => and(done.eq(false), due.lt(tomorrow)) });
   * ```
   */
  where?: T['where'] | string | undefined;
}

/** Which properties. */
export interface SelectOptions<T extends TableTypes, Names extends SelectNames<T>> {
  /** The names of the properties; by default all. The key and the etag always come with them. */
  select?: Names;
}

/** The part of a row that orders, groups and aggregates can read: no values in parts. */
export type PlainRow<T extends TableTypes> = Pick<T['row'], T['plain'] & keyof T['row']>;

/** The terms of an order. */
export type OrderOf<T extends TableTypes> = OrderTerm<OrderableName<PlainRow<T>>>;

/** Options of `get` and `getMany`. */
export interface GetOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends CallOptions, SelectOptions<T, Names> {}

/** Options of `list` and `rows` of every account. */
export interface RowsOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends WhereOptions<T>, SelectOptions<T, Names> {
  /** How many rows to return at most. */
  limit?: number | undefined;
}

/** Options of `first`. */
export interface FirstOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends WhereOptions<T>, SelectOptions<T, Names> {
  /** A property, with ` desc` behind it for the reverse; or several. By default the key. */
  orderBy?: OrderOf<T> | readonly OrderOf<T>[] | undefined;
  /** How many rows to leave out at the beginning. */
  skip?: number | undefined;
}

/** Options of `list` and `rows`. */
export interface ListOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends FirstOptions<T, Names>, RowsOptions<T, Names> {}

/** Which rows a live list has. */
export type LiveRowsQuery<T extends TableTypes> = Pick<
  ListOptions<T, undefined>,
  'where' | 'orderBy' | 'limit'
>;

/** Called when what is followed fails, which ends it. */
interface ErrorOptions {
  onError?: ((error: unknown) => void) | undefined;
}

/** Options of `live`. */
export interface LiveOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends LiveRowsQuery<T>, CallOptions, SelectOptions<T, Names>, ErrorOptions {}

/** Options of `liveCount`. */
export interface LiveCountOf<T extends TableTypes> extends WhereOptions<T>, ErrorOptions {}

/** Options of `subscribe`. */
export interface FollowOptions<T extends TableTypes, Names extends SelectNames<T>>
  extends WhereOptions<T>, SelectOptions<T, Names>, ErrorOptions {}

/** How commits changed the rows that fit. */
export interface RowsChanged<T extends TableTypes, Row> {
  readonly inserted: readonly Row[];
  readonly updated: readonly Row[];
  /** The keys and last etags of rows that are deleted, or no longer fit. */
  readonly deleted: readonly (KeyFieldsOf<T> & { readonly etag: string })[];
  /** True if the single changes are not known: at first, say. Then read the rows again. */
  readonly reset: boolean;
  readonly origin: 'local' | 'remote' | undefined;
}

type NumberFunction = 'sum' | 'avg' | 'quantile' | 'histogram';

type NumberName<Row> = {
  [Name in keyof Row & string]-?: [Extract<Row[Name], number | bigint>] extends [never]
    ? never
    : Name;
}[keyof Row & string];

/** What `aggregate` can calculate. Keys are stored as texts, so their numbers have no sum. */
export type SelectOf<T extends TableTypes> = Readonly<
  Record<
    string,
    | Aggregate<Exclude<AggregateFunction, NumberFunction>, OrderableName<PlainRow<T>>>
    | Aggregate<NumberFunction, Exclude<NumberName<PlainRow<T>>, T['key']>>
  >
>;

/** Options of `aggregate`. */
export interface AggregateOf<
  T extends TableTypes,
  Groups extends GroupBy = GroupBy,
  Select extends Aggregates = Aggregates,
>
  extends WhereOptions<T>, Pick<AggregateOptions<Groups, Select>, 'groupBy' | 'select'> {}

/** Options of `search`. */
export interface SearchOf<T extends TableTypes, Names extends SelectNames<T>>
  extends WhereOptions<T>, SelectOptions<T, Names> {
  /** How many rows to return at most, 1 to 1000; by default 20. */
  limit?: number | undefined;
  /** Whether a text must have all words, the default, or any of them. */
  match?: 'all' | 'any' | undefined;
}

/** A row that a search has found. */
export interface FoundRow<Row> {
  readonly row: Row;
  /** How well its text fits. Only scores of one search can be compared. */
  readonly score: number;
}

/** Options of `insertMany`. */
export interface ManyOptions extends CallOptions {
  /** Called when more was read or stored. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** Options of `import`. */
export interface ImportOptions extends ManyOptions {
  /** What happens to a row whose key is there already. By default `Insert`, which refuses it. */
  mode?: ImportMode | undefined;
}

/** Options of `export`. */
export interface ExportOptions<T extends TableTypes> extends WhereOptions<T> {
  select?: SelectNames<T>;
  /** A JSON array, or JSON Lines with one object a line. By default `lines`. */
  format?: 'array' | 'lines' | undefined;
}

/** Options of `deleteMany`. */
export interface DeleteManyOptions<T extends TableTypes> extends CallOptions {
  /** Which rows. There must be one: `'true'` is the filter of all. */
  where: T['where'] | string;
  /** Called after each step: up to 1000 rows. */
  onProgress?: ((progress: { found: number; deleted: number }) => void) | undefined;
}

/** Options of `updateMany`. */
export interface UpdateManyOptions<T extends TableTypes> extends CallOptions {
  /** Which rows. There must be one: `'true'` is the filter of all. */
  where: T['where'] | string;
  /**
   * The properties to change, or a function that returns them for a row, and undefined to leave it
   * as it is.
   */
  set: RowChanges<T> | ((row: StoredRow<T>) => RowChanges<T> | undefined);
  onProgress?: ((progress: UpdateEntitiesProgress) => void) | undefined;
  /** Called with the error of each row that a rule refuses. Without it, the first ends the call. */
  onRefused?: ((error: TableError) => void) | undefined;
}
