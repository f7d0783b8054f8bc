/**
 * The options of the tables of an app, and what the requests of an account take for them.
 *
 * @module
 */

import { checkedOptions, type OptionKinds } from '../base/options.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { AppNames } from '../entity/row-form.js';

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
