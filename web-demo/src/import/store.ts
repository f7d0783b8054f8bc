/**
 * Stores the rows of a file.
 *
 * @module
 */

import { TableError, type TableClient, type TableEntity } from 'entitable';

import { apiName } from '../../../js/src/base/system-names.js';
import { rememberOrder } from '../grid/column-layout.js';
import { importInto } from '../import-entities.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { makerOf, type ImportPlan } from './plan.js';
import type { RowFile } from './row-file.js';

export interface CheckedFile {
  readonly file: RowFile;
  readonly plan: ImportPlan;
  readonly rows: number;
  /** The numbers of the rows to leave out. */
  readonly refused: ReadonlySet<number>;
}

/** Makes the order of the file that of the table's columns. */
export function rememberColumns({ table, columns }: ImportPlan): void {
  rememberOrder(
    table,
    columns.map(({ property }) => apiName(property)),
  );
}

/**
 * Stores all rows but the refused ones.
 *
 * @returns how many were stored, also if the signal stopped it.
 * @throws {@link TableError} the error of the import.
 */
export function storeRows(
  table: TableClient,
  checked: CheckedFile,
  options: LoadOptions,
): Promise<LoadProgress> {
  return importInto(table, entitiesOf(checked, options.signal), checked.plan.mode, options);
}

async function* entitiesOf(
  { file, plan, rows, refused }: CheckedFile,
  signal: AbortSignal,
): AsyncGenerator<TableEntity> {
  const maker = makerOf(plan, rows);
  let number = 0;
  for await (const batch of file.batches(signal)) {
    for (const row of batch) {
      number++;
      if (row instanceof TableError || refused.has(number)) continue;
      yield maker.entityOf(row, number);
    }
  }
}
