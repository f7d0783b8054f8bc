/**
 * What panels beside the grid are about.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { Column } from '../columns.js';
import type { ChartState } from '../explorer/view-state.js';
import type { RowQuery } from '../rows/row-query.js';
import type { TypedEntity } from '../typed-entity.js';

/** For people, where a query is refused. */
export const QUERY_REFUSED = 'the query was refused.';

/** The query on the screen. */
export interface QuerySource extends RowQuery {
  readonly table: TableClient;
  /** Of the entities that are loaded. */
  readonly columns: readonly Column[];
  readonly entities: readonly TypedEntity[];
  /** How many entities match the filter. */
  readonly total: number;
}

/** What follows the query. */
export interface QueryFollower {
  show(source: QuerySource): void;
  /** Shows that the query was refused. */
  clear?(): void;
}

/** A panel beside the grid. Whoever opens and closes it shows and hides its element. */
export interface QueryPanel extends QueryFollower {
  open(): void;
  close(): void;
  /** What the user has chosen in it, for the table with this name. */
  readonly choice?: ChartState | undefined;
  restore?(table: string, choice: ChartState): void;
}
