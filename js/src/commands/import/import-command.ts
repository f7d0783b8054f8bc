/**
 * `entitable import`: stores the rows of files in a table.
 *
 * The files are read twice: first for the types of the columns, and then for their entities.
 *
 * @module
 */

import { importAll } from '../../archive.js';
import type { TableError } from '../../base/errors.js';
import type { TableEntity } from '../../entity/entities.js';
import { nameRule } from '../../formats/column-names.js';
import { ColumnSurvey } from '../../formats/column-survey.js';
import { localOnly, withNewAccount, type ReadAccount } from '../account/place.js';
import type { Environment } from '../account/remote-options.js';
import { RowBatch, rowStore } from '../account/row-store.js';
import type { CommandContext } from '../line/command.js';
import { interruptible } from '../line/interruptible.js';
import { UsageError } from '../line/options.js';
import type { ProgressLine } from '../line/progress-line.js';
import { counted } from '../move/table-move.js';
import { checkerFor, isRepeated, type RowChecker } from './import-check.js';
import { planOf, type ImportPlan } from './import-plan.js';
import { ImportReport } from './import-report.js';
import { parseImport, type ImportArguments } from './import-usage.js';
import { RowFile, type PlacedRow, type RowPlace } from './row-file.js';

interface Import {
  readonly given: ImportArguments;
  readonly files: readonly RowFile[];
  readonly report: ImportReport;
  readonly line: ProgressLine;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Runs the command. */
export async function importFiles(
  words: readonly string[],
  context: CommandContext,
): Promise<number> {
  const { environment } = context;
  const given = parseImport(words);
  const files: RowFile[] = [];
  for (const file of given.files) files.push(await RowFile.open(file, given.reading));
  const isArchive = checkKinds(given, files);
  const hint = isArchive
    ? 'delete the tables of the archive before you run it again'
    : 'the same command stores all rows again';
  return interruptible(given.isQuiet, context, hint, async (line, signal) => {
    const report = new ImportReport(given, line, context);
    const work = { given, files, report, line, environment, signal };
    try {
      if (isArchive) await withNewAccount(given.place, environment, (to) => restore(to, work));
      else await importRows(work);
    } finally {
      // Also of an import that ends early.
      await report.flush();
    }
    return report.isGood ? 0 : 1;
  });
}

function checkKinds({ table, isDry }: ImportArguments, files: readonly RowFile[]): boolean {
  const isArchive = files.some(({ kind }) => kind === 'archive');
  if (!isArchive && table === undefined && !isDry) {
    throw new UsageError('import takes --at PLACE --table NAME FILE...');
  }
  if (isArchive && (files.length > 1 || table !== undefined || isDry)) {
    throw new UsageError('an archive is imported alone, and without --table and --dry-run');
  }
  return isArchive;
}

async function restore(account: ReadAccount, work: Import): Promise<void> {
  const { files, report, line, signal } = work;
  const local = localOnly(account, 'archives', 'entitable push sends one');
  const { stored } = await importAll(local, files[0]!.bytes() as AsyncIterable<Uint8Array>, {
    abortSignal: signal,
    onProgress: (progress) => line.show(`restored ${counted(progress.stored)} lines`),
  });
  await report.restored(stored);
}

async function importRows(work: Import): Promise<void> {
  const { given, report, environment } = work;
  // Before the files are read, which may take long.
  const checker = await checkerFor(given.table);
  const surveys = new Map(work.files.map((file) => [file, new ColumnSurvey(given.forms)]));
  for await (const rows of allRows(work, 'read', async () => {})) {
    for (const { row, file } of rows) surveys.get(file)!.add(row, file.columns);
  }
  for (const [file, survey] of surveys) survey.addColumns(file.columns);
  const plan = planOf(given, surveys, nameRule(checker.validator));
  if (given.isDry) await check(work, plan, checker);
  else await withNewAccount(given.place, environment, (account) => store(account, work, plan));
  await report.end(plan, work.files);
}

interface EntityRow extends PlacedRow {
  readonly entity: TableEntity;
}

async function store(account: ReadAccount, work: Import, plan: ImportPlan): Promise<void> {
  const { given, report, signal } = work;
  const table = given.table!;
  await account.createTable(table);
  const before = await entitiesIn(account, table);
  const { mode } = given;
  const { put } = rowStore<EntityRow>(account, table, { mode, signal }, report.refuse);
  for await (const rows of allRows(work, 'stored', report.refuse)) {
    const ready: EntityRow[] = [];
    for (const row of rows) {
      const entity = await report.attempt(row, () => plan.entityOf(row));
      if (entity) ready.push({ ...row, entity });
    }
    report.good += await put(ready);
  }
  const after = await entitiesIn(account, table);
  if (before !== undefined && after !== undefined) report.added = after - before;
}

async function check(work: Import, plan: ImportPlan, checker: RowChecker): Promise<void> {
  const { report } = work;
  for await (const rows of allRows(work, 'checked', report.refuse)) {
    for (const row of rows) {
      const repeats = await report.attempt(row, () => isRepeated(checker, plan.entityOf(row)));
      if (repeats !== undefined) report.good++;
      if (repeats) await report.repeat(row);
    }
  }
}

/** Undefined for a storage account, which does not count. */
async function entitiesIn(account: ReadAccount, table: string): Promise<number | undefined> {
  const client = account.tableClient(table);
  return 'countEntities' in client ? await client.countEntities() : undefined;
}

/** The rows of all files, many at a time. */
async function* allRows(
  { files, line, signal }: Import,
  done: string,
  onFault: (row: RowPlace, error: TableError) => Promise<void>,
): AsyncGenerator<readonly PlacedRow[]> {
  let count = 0;
  const batch = new RowBatch<PlacedRow>();
  for (const file of files) {
    const faults: [RowPlace, TableError][] = [];
    for await (const chunk of file.rows((error, place) => faults.push([place, error]))) {
      for (const fault of faults.splice(0)) await onFault(...fault);
      batch.add(chunk.rows, chunk.length);
      if (!batch.isFull) continue;
      signal.throwIfAborted();
      const rows = batch.take();
      yield rows;
      count += rows.length;
      line.show(`${done} ${counted(count)} rows`);
    }
    for (const fault of faults) await onFault(...fault);
  }
  yield batch.take();
}
