/**
 * A table of an account behind the REST API, copied into the memory of the page.
 *
 * @module
 */

import type { TableClient } from 'entitable';

export interface TableCopy {
  /** The table in the memory. */
  readonly table: TableClient;
  /** The table of the account. */
  readonly source: TableClient;
  /** The filter that selected the entities; empty: all of them. */
  readonly filter: string;
  readonly count: number;
  /** When reading began. */
  readonly readAt: Date;
  /** Frees its memory. */
  close(): Promise<void>;
}

/** For people: where a copy can be changed. */
export const COPY_REMEDY = 'To change entities, go back to the account.';

/** For people who want to change a copy. */
export const COPY_LIMITS = `This is a copy in the memory of this page. ${COPY_REMEDY}`;

const copies = new WeakMap<TableClient, TableCopy>();

export function addCopy(copy: TableCopy): void {
  copies.set(copy.table, copy);
}

/** The copy that has this table, if it is the table of a copy. */
export function copyOf(table: TableClient | undefined): TableCopy | undefined {
  return table && copies.get(table);
}

/**
 * @param why - the account does not permit the change; undefined, if it may.
 * @throws an Error for people, also if the table is that of a copy.
 */
export function checkIsWritable(table: TableClient | undefined, why?: string): void {
  const reason = copyOf(table) ? COPY_LIMITS : why;
  if (reason !== undefined) throw new Error(reason);
}
