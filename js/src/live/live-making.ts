/**
 * How a live result is made, and what it shows.
 *
 * @module
 */

import { checkedOptions } from '../base/options.js';
import type { LiveEntitiesOptions } from './models.js';

/**
 * Reports each new result until it is aborted. Rejects when it cannot go on.
 *
 * @internal
 */
export type ResultSource<Value> = (
  report: (value: Value) => void,
  signal: AbortSignal,
) => Promise<void>;

/**
 * What a live result shows at one moment. It never changes: the live result replaces it.
 *
 * @internal
 */
export interface LiveState<Value> {
  readonly value: Value;
  readonly isLoaded: boolean;
  readonly isStale: boolean;

  /** Missing or undefined unless it has failed. Then the value is the last one. */
  readonly error?: unknown;
}

/**
 * What a live result shows, whatever its query is. Components share a result with those of the same
 * place and query, and may show the value of another query for a moment.
 *
 * @internal
 */
export interface LivePlace {
  /** What is followed: the account, or the rows of a declared table in it. */
  readonly owner: object;

  /** What is shown of it: rows, their number, the selected properties. */
  readonly family: string;
}

/** Which entities a live result has: by default all. */
export type LiveQuery = Pick<LiveEntitiesOptions, 'filter' | 'dialect' | 'top' | 'orderBy'>;

const QUERY_OPTIONS = {
  filter: 'string',
  dialect: ['service', 'extended'],
  top: 'count',
  orderBy: 'strings',
} as const;

/**
 * Returns a copy of a query, in the names of the core.
 *
 * @internal
 * @throws {@link TableError} `InvalidInput`, if an option is unknown.
 */
export type QueryOf = (query: object) => LiveQuery;

/** @internal The query of `update` of an untyped table. */
export const checkedQuery: QueryOf = (query) =>
  checkedOptions('update', query as LiveQuery, QUERY_OPTIONS);

/** @internal The same text for queries that are the same. */
export const textOf = ({ filter, dialect, top, orderBy }: LiveQuery) =>
  JSON.stringify([filter, dialect, top, orderBy]);

/**
 * How a live result is made.
 *
 * @internal
 */
export interface LiveMaking<Value> {
  readonly sourceOf: (query: LiveQuery) => ResultSource<Value>;

  /** The value before the first result. */
  readonly empty: Value;

  /** Whether `empty` is a result already. */
  readonly isLoaded?: boolean;

  readonly place: LivePlace;
  readonly queryOf?: QueryOf | undefined;
}
