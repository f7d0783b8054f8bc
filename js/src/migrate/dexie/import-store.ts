/**
 * The import of one store. A piece of it is one transaction: its rows and the note of where it ends
 * are stored together, or not at all. So nothing is imported twice, whoever ends the page or does
 * the same in another tab.
 *
 * @module
 */

import { isTableError, type TableError } from '../../base/errors.js';
import type { AbortSignalLike } from '../../base/platform.js';
import { tableWithin } from '../../client/account-tables.js';
import type { Table, TableOf } from '../../tables/table.js';
import { runInTransaction } from '../../transactions/run-transaction.js';
import type { TransactionSession } from '../../transactions/transaction-session.js';
import type { marks } from './marks.js';
import type { DexieImportProgress, StoreProgress } from './models.js';
import { checkRow, isRefusal, refusalOf, rowsOf, type StoreToImport } from './rows.js';
import type { KeyPath, Source, SourceValue } from './source.js';
import { keyOfText, textOfKey } from './source-keys.js';

/** The table of the marks of an account. */
export type Marks = TableOf<typeof marks>;

/** An import of a store. */
export interface Job extends StoreToImport {
  readonly onProgress?: ((progress: DexieImportProgress) => void) | undefined;
  readonly onRefused?: ((error: TableError) => void) | undefined;
  readonly signal?: AbortSignalLike | undefined;
}

/** The same, with the marks of the account. */
export interface MarkedJob extends Job {
  readonly marks: Marks;
}

interface Mark {
  readonly after?: string | undefined;
  readonly isDone: boolean;
  readonly read: number;
  readonly stored: number;
  readonly refused: number;
}

const BEGIN: Mark = { isDone: false, read: 0, stored: 0, refused: 0 };

// What one transaction takes: up to so many values, as long as their rows are this short in all. It
// has room for 8 MiB, and a row for 1 MiB.
const MOST_VALUES = 500;
const ENOUGH = 2 * 1024 * 1024;

// Nobody knows how large the values are before the first ones are read.
const FIRST_VALUES = 16;

const keyOf = ({ database, store, table }: Job) => ({ database, store, table: table.name });

/** Returns what earlier calls have done, and whether that is all. */
export async function noted(job: MarkedJob): Promise<{ isDone: boolean; progress: StoreProgress }> {
  const mark: Mark = (await job.marks.get(keyOf(job))) ?? BEGIN;
  return { isDone: mark.isDone, progress: progressOf(mark, 0) };
}

const progressOf = ({ read, stored, refused }: Mark, count: number): StoreProgress => ({
  total: Math.max(count, read),
  ...{ read, stored, refused },
});

/** Imports the rest of a store. */
export async function importStore(
  job: MarkedJob,
  source: Source,
  report: (progress: StoreProgress) => void,
): Promise<void> {
  const count = await source.count(job.store);
  let [size, triesOut, isDone] = [FIRST_VALUES, false, false];
  while (!isDone) {
    try {
      // eslint-disable-next-line entitable/arguments-before-await -- the import has made it
      const { mark, taken } = await storePiece(job, source, size, triesOut);
      report(progressOf(mark, count));
      ({ isDone } = mark);
      size = Math.min(2 * taken + 1, MOST_VALUES);
      triesOut = false;
    } catch (error) {
      // Another tab does the same, and was faster.
      if (isTableError(error) && error.code === 'TransactionConflict') continue;
      // Once more, to know which row it is.
      if (!isRefusal(error) || triesOut) throw error;
      triesOut = true;
    }
  }
}

interface Piece {
  /** Where the import is behind it. */
  readonly mark: Mark;
  /** How many values it has. */
  readonly taken: number;
}

/** Imports the next values: at most `size` of them. */
async function storePiece(
  job: MarkedJob,
  source: Source,
  size: number,
  triesOut: boolean,
): Promise<Piece> {
  const { table, store, signal, onRefused } = job;
  let refusals: TableError[] = [];
  const run = async (transaction: TransactionSession): Promise<Piece> => {
    refusals = [];
    const own = tableWithin(transaction, job.marks);
    const before: Mark = (await own.get(keyOf(job))) ?? BEGIN;
    if (before.isDone) return { mark: before, taken: 0 };
    const above = before.after === undefined ? undefined : keyOfText(before.after);
    const values = await source.read(store, above, size);
    const within = tableWithin(transaction, table);
    let [taken, stored] = [0, 0];
    for (const value of values) {
      stored += await storeRows(job, source.keyPathOf(store), within, value, refusals);
      taken++;
      if (transaction.written > ENOUGH) break;
    }
    const mark: Mark = {
      after: taken ? textOfKey(values[taken - 1]!.key) : before.after,
      isDone: values.length < size && taken === values.length,
      read: before.read + taken,
      stored: before.stored + stored,
      refused: before.refused + refusals.length,
    };
    await own.put({ ...keyOf(job), ...mark });
    return { mark, taken };
  };
  const piece = await runInTransaction(table.requests.session, run, signal, triesOut);
  for (const refusal of refusals) onRefused!(refusal);
  return piece;
}

/** Inserts the rows of a value, and returns how many there are. */
async function storeRows(
  job: Job,
  keyPath: KeyPath,
  table: Table,
  value: SourceValue,
  refusals: TableError[],
): Promise<number> {
  let stored = 0;
  for (const row of await rowsOf(job, value)) {
    try {
      checkRow(job, keyPath, row);
      await table.insert(row as object);
      stored++;
    } catch (error) {
      const refusal = isRefusal(error) ? refusalOf(job, value.key, row, error) : undefined;
      if (!job.onRefused || !refusal) throw refusal ?? error;
      refusals.push(refusal);
    }
  }
  return stored;
}
