/**
 * The options of the tables of an app, and what the requests of an account take for them.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { checkedOptions, type OptionKinds } from '../base/options.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { AppNames } from '../entity/row-form.js';
import type { WriteOptions } from './models.js';

/** Options with which a method may be called. Which of them it takes is in `KINDS`. */
export interface GivenOptions {
  readonly where?: unknown;
  readonly orderBy?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly skip?: number | undefined;
  readonly select?: readonly string[] | undefined;
  readonly signal?: AbortSignalLike | undefined;
  readonly onError?: ((error: unknown) => void) | undefined;
  readonly match?: 'all' | 'any' | undefined;
  readonly format?: 'array' | 'lines' | undefined;
}

const CALL = { signal: 'signal' } as const;
const WHERE = { ...CALL, where: 'where' } as const;
const SELECT = { select: 'strings' } as const;
const ERROR = { onError: 'function' } as const;
const FIRST = { ...WHERE, ...SELECT, orderBy: 'order', skip: 'number' } as const;
const MANY = { ...CALL, onProgress: 'function' } as const;

/** The options of each method. */
export const KINDS = {
  get: { ...CALL, ...SELECT },
  first: FIRST,
  list: { ...FIRST, limit: 'number' },
  count: WHERE,
  insert: CALL,
  write: { ...CALL, ifUnchanged: 'any' },
  insertMany: MANY,
  import: { ...MANY, mode: ['Insert', 'Replace', 'Merge'] },
  export: { ...WHERE, ...SELECT, format: ['lines', 'array'] },
  deleteMany: { ...WHERE, onProgress: 'function' },
  updateMany: { ...WHERE, set: 'any', onProgress: 'function', onRefused: 'function' },
  aggregate: { ...WHERE, groupBy: 'any', select: 'any' },
  search: { ...WHERE, ...SELECT, limit: 'pageSize', match: ['all', 'any'] },
  live: { ...WHERE, ...SELECT, ...ERROR, orderBy: 'order', limit: 'count' },
  liveQuery: { where: 'where', orderBy: 'order', limit: 'count' },
  liveCount: { ...WHERE, ...ERROR },
  liveAggregate: { ...WHERE, ...ERROR, groupBy: 'any', select: 'any' },
  subscribe: { ...WHERE, ...SELECT, ...ERROR },
} as const satisfies Record<string, OptionKinds>;

/** The options of queries. */
export interface QueryKinds {
  readonly first: OptionKinds;
  readonly list: OptionKinds;
}

/** Without what only a local store can do. */
export const SERVICE_KINDS: QueryKinds = {
  first: { ...WHERE, ...SELECT },
  list: { ...WHERE, ...SELECT, limit: 'number' },
};

/**
 * Returns a copy of the options of a method.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checked<T extends object>(
  owner: string,
  options: object | undefined,
  kinds: OptionKinds = KINDS[owner as keyof typeof KINDS],
): T {
  return checkedOptions<Record<string, unknown>, OptionKinds>(
    owner,
    options as Record<string, unknown> | undefined,
    kinds as never,
  ) as T;
}

/** A query of an account. */
export type Query = Omit<ReturnType<typeof queryOf>, 'dialect'> & {
  readonly dialect: 'extended' | undefined;
};

/**
 * The query of the core. Filters have the extended dialect, where numbers of all types are compared
 * by their values, and texts of filters have functions.
 */
export function queryOf(names: AppNames, given: GivenOptions, limit = given.limit) {
  const { where, orderBy, skip, select, signal } = given;
  const dialect = 'extended';
  return {
    filter: names.filterOf(where, dialect),
    dialect,
    orderBy: orderBy && names.orderOf(orderBy),
    top: limit,
    skip,
    select: select?.length ? names.selectOf(select) : undefined,
    abortSignal: signal,
    isForApp: true,
  } as const;
}

/** The options of a write, with the etag on which it depends. */
export function writeOptionsOf(owner: string, options: WriteOptions | undefined) {
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
export function checkedFilter(owner: string, filter: string | undefined): string {
  if (filter?.trim()) return filter;
  throw invalidInput(`${owner} needs where. 'true' is the filter of all rows.`);
}
