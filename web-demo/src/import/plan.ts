/**
 * How the rows of a file become entities: the choices of the user, and what the page suggests. The
 * command plans its imports by the same module.
 *
 * @module
 */

import type { ImportMode } from 'entitable';

import { withoutAccents, type IsName } from '../../../js/src/formats/column-names.js';
import { keyColumnsOf } from '../../../js/src/formats/row-columns.js';
import { EntityMaker, planColumns, type ColumnPlan } from '../../../js/src/formats/row-plan.js';
import type { TextForms } from '../../../js/src/formats/text-forms.js';
import type { FileSummary } from './summary.js';

export interface ImportPlan {
  readonly table: string;
  /** A column, or one key for all rows. */
  readonly partitionKey: { readonly column: string } | { readonly text: string };
  /** A column; undefined for the number of the row. */
  readonly rowKey: string | undefined;
  readonly columns: readonly ColumnPlan[];
  readonly mode: ImportMode;
  /** How the file writes numbers and days. */
  readonly forms: TextForms;
}

/** A plan with what it leaves out. */
export interface SuggestedPlan extends ImportPlan {
  /** The columns that the service sets. */
  readonly leftOut: readonly string[];
}

/** A plan that works for most files without a change. */
export function suggestPlan(
  fileName: string,
  { columns, forms }: FileSummary,
  isName: IsName,
): SuggestedPlan {
  const keys = keyColumnsOf(columns.map(({ name }) => name));
  const [partitionKey, rowKey] = keys;
  return {
    table: tableNameOf(fileName),
    partitionKey: partitionKey === undefined ? { text: 'rows' } : { column: partitionKey },
    rowKey,
    ...planColumns(columns, isName, keys),
    mode: 'Replace',
    forms,
  };
}

// So that more rows can follow without a change of the order.
const LEAST_DIGITS = 6;

/**
 * Makes entities as the plan says. The place of a row is its number, from 1 on.
 *
 * @param rows - how many rows there are, for row keys in the order of the file.
 */
export function makerOf(
  { partitionKey, rowKey, columns, forms }: ImportPlan,
  rows: number,
): EntityMaker<number> {
  const digits = Math.max(LEAST_DIGITS, String(rows).length);
  return new EntityMaker<number>(
    [
      'text' in partitionKey ? () => partitionKey.text : partitionKey,
      rowKey === undefined ? (number) => String(number).padStart(digits, '0') : { column: rowKey },
    ],
    columns,
    () => forms,
  );
}

/** `flights-200k.csv` becomes `Flights200k`. */
function tableNameOf(fileName: string): string {
  const words = withoutAccents(fileName.replace(/\.\w+$/, '')).split(/[^A-Za-z0-9]+/);
  const name = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
  // A name has 3 to 63 characters, and begins with a letter.
  const begun = /^[A-Z]/.test(name) && name.length >= 3 ? name : `Table${name}`;
  return begun.slice(0, 63);
}
