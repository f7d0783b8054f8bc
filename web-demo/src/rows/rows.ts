/**
 * The rows of a result, by their numbers: what the grid, and what follows changes, need of them.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { TypedEntity } from '../typed-entity.js';
import type { EntityKeys, RowQuery } from './row-query.js';

/** A range of rows. Both ends are included. */
export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export function isIn({ first, last }: RowRange, row: number): boolean {
  return row >= first && row <= last;
}

export interface Rows {
  readonly table: TableClient;
  readonly query: RowQuery;
  /** The number of rows; at least that many, until it is final. */
  readonly total: number;
  readonly isFinal: boolean;
  /** How many entities the filter selects. Any of them may come into the result. */
  readonly scope: number;
  /** A remote account cannot count or skip, so its rows are only read one after another. */
  readonly canJump: boolean;
  /** All entities that are loaded, in their order. */
  readonly loaded: readonly TypedEntity[];
  /** Called when rows were loaded, or `total` has changed. */
  onLoad: () => void;
  onError: (error: unknown) => void;

  /** Reads the first rows. */
  open(): Promise<void>;
  /** Counts what `total` and `scope` say, if the account can. */
  count(): Promise<void>;
  /** Undefined if the row is not loaded. */
  at(row: number): TypedEntity | undefined;
  /** The row of an entity, if it is loaded. */
  rowOf(keys: EntityKeys): number | undefined;
  /** Loads rows, and those that a former call wanted no longer. */
  want(range: RowRange): void;
  /** Loads nothing any more. */
  stop(): void;
  /**
   * The same result as it is now, with the rows of a range loaded.
   *
   * @returns the rows, and how many rows the beginning of the range has moved by.
   */
  renewed(range: RowRange, isAtTop: boolean): Promise<{ rows: Rows; moved: number }>;
  /** The keys of rows, whether they are loaded or not. */
  keys(range: RowRange): Promise<readonly EntityKeys[]>;
  /** The entities of rows, whether they are loaded or not. */
  entities(range: RowRange): Promise<readonly TypedEntity[]>;
}
