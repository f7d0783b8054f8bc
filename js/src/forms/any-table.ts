/**
 * A table and the options of its form, without the types of its properties.
 *
 * @module
 */

import type { Issue } from '../base/issue.js';
import type { TableProperties } from '../schema/rows.js';
import type { StandardResult } from '../schema/standard.js';
import type { BindOptions, FormCheck } from './models.js';

/** A row of any table. */
export type Row = Record<string, unknown>;

/** A row that was checked, or what is wrong with it. */
export type Checked = StandardResult<Row, Issue>;

/** A table as its forms are checked. */
export interface FormTable {
  readonly tableName: string;
  readonly properties: TableProperties;
  /** The fields of the key, if it has names of the app. */
  readonly rowKeys: { readonly names: readonly string[] } | undefined;
  validate(row: unknown): Checked | Promise<Checked>;
}

/** The options for any table. */
export interface Options extends Omit<
  BindOptions<TableProperties>,
  'checks' | 'onSubmit' | 'properties' | 'values'
> {
  readonly checks?: Readonly<Record<string, FormCheck<unknown, object>>>;
  readonly onSubmit: (row: Row, submitter: HTMLElement | null) => unknown;
  readonly properties?: readonly string[];
  readonly values?: unknown;
}
