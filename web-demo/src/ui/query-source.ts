/**
 * What panels beside the grid are about.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { Column } from '../columns.js';
import type { Search } from '../rows/row-query.js';
import type { TypedEntity } from '../typed-entity.js';

/** For people, where a query is refused. */
export const QUERY_REFUSED = 'the query was refused.';

/** The query on the screen. */
export interface QuerySource {
  readonly table: TableClient;
  readonly filter: string;
  readonly search?: Search | undefined;
  /** Of the entities that are loaded. */
  readonly columns: readonly Column[];
  readonly entities: readonly TypedEntity[];
  /** How many entities match the filter. */
  readonly total: number;
}

/** A panel that follows the query. */
export interface QueryPanel {
  show(source: QuerySource): void;
  /** Shows that the query was refused. */
  clear?(): void;
  /** Opens or closes it. */
  toggle(): void;
  /** Closes it, because the service has no answer for it. */
  close(): void;
}
