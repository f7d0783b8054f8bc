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
import type { Changes } from '../changes/changes.js';
import { makerOf, type ImportPlan } from './plan.js';
import type { RowFile } from './row-file.js';
import { canUndo, storeWithUndo } from './store-with-undo.js';

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

/** Where the rows go, and whether their import has created the table. */
export interface StoreOptions extends LoadOptions {
  readonly isNew: boolean;
  changes(): Promise<Changes>;
}

/**
 * Stores all rows but the refused ones. Some thousands of them can be removed again by an undo.
 *
 * @returns how many were stored, also if the signal stopped it.
 * @throws {@link TableError} the error of the import.
 */
export async function storeRows(
  table: TableClient,
  checked: CheckedFile,
  { isNew, changes, ...options }: StoreOptions,
): Promise<LoadProgress> {
  const { file, rows, refused, plan } = checked;
  const { mode } = plan;
  const entities = entitiesOf(checked, options.signal);
  if (!canUndo(rows - refused.size, file.size)) return importInto(table, entities, mode, options);
  const target = { table, mode, isNew, changes: await changes() };
  return storeWithUndo(target, entities, options);
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
