/**
 * How the rows of a file become entities: the choices of the user, and what the page suggests.
 *
 * @module
 */

import type { EdmTypes, ImportMode } from 'entitable';

import { PropertyNames, withoutAccents } from '../../../js/src/transfer/column-names.js';
import { isSystemColumn, keyColumnsOf } from '../../../js/src/transfer/row-columns.js';
import type { FileSummary } from './summary.js';

export interface ColumnPlan {
  /** In the file. */
  readonly column: string;
  readonly property: string;
  /** Undefined: each value has the type that the file says. */
  readonly type: EdmTypes | undefined;
}

export interface ImportPlan {
  readonly table: string;
  /** A column, or one key for all rows. */
  readonly partitionKey: { readonly column: string } | { readonly text: string };
  /** A column; undefined for the number of the row. */
  readonly rowKey: string | undefined;
  readonly columns: readonly ColumnPlan[];
  readonly mode: ImportMode;
}

/** A plan that works for most files without a change. */
export function suggestPlan(fileName: string, { columns }: FileSummary): ImportPlan {
  const [partitionKey, rowKey] = keyColumnsOf(columns.map(({ name }) => name));
  const properties = new PropertyNames();
  return {
    table: tableNameOf(fileName),
    partitionKey: partitionKey === undefined ? { text: 'rows' } : { column: partitionKey },
    rowKey,
    columns: columns
      .filter(({ name }) => name !== partitionKey && name !== rowKey && !isSystemColumn(name))
      .map(({ name, type }) => ({ column: name, property: properties.next(name), type })),
    mode: 'Replace',
  };
}

/** `flights-200k.csv` becomes `Flights200k`. */
function tableNameOf(fileName: string): string {
  const words = withoutAccents(fileName.replace(/\.\w+$/, '')).split(/[^A-Za-z0-9]+/);
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  // A name has 3 to 63 characters, and begins with a letter.
  const begun = /^[A-Z]/.test(name) && name.length >= 3 ? name : `Table${name}`;
  return begun.slice(0, 63);
}
