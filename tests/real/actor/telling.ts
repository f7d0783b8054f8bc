// telling.ts - carries out stories until the end of the browser.

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../js/src/index.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { STORIES, type Row, type Step, type StoryName } from '../support/stories.js';
import { counted, newCounts } from './counts.js';
import { tell } from './line.js';

const PARTITION = 'p';

let account: TableServiceClient | undefined;
const counts = newCounts();

/** How many steps of each story were acknowledged. */
export type Progress = Record<StoryName, number>;

export const telling = {
  /** All tables and their rows, as an account that was just opened sees them. */
  async readAll(): Promise<Record<string, Row[]>> {
    account = await openAccount({
      storage: counted(indexedDbStorage('killed'), counts),
      wasm: '/entitable.wasm',
    });
    const tables: Record<string, Row[]> = {};
    for await (const { name } of account.listTables()) {
      tables[name!] = await rowsOf(account.tableClient(name!));
    }
    return tables;
  },

  /** Goes on with every story until the end of the browser. */
  async write(from: Progress): Promise<void> {
    const writers = Object.entries(from) as [StoryName, number][];
    await Promise.all(writers.map(([story, done]) => goOn(story, done)));
  },
};

async function rowsOf(table: TableClient): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { rowKey, turn, text } of table.listEntities<Omit<Row, 'rowKey'>>()) {
    rows.push({ rowKey: rowKey!, turn, text });
  }
  return rows;
}

async function goOn(story: StoryName, done: number): Promise<never> {
  for (let number = done + 1; ; number++) {
    await carryOut(STORIES[story](number));
    const { folds, merges } = counts;
    await tell({ story, number, folds, merges });
  }
}

async function carryOut(step: Step): Promise<void> {
  const table = account!.tableClient(step.table);
  switch (step.kind) {
    case 'create':
      return table.createTable();
    case 'drop':
      return table.deleteTable();
    case 'import':
      return void (await table.importEntities(step.puts.map(entityOf), { mode: 'Replace' }));
    case 'write':
      return write(table, step);
  }
}

async function write(
  table: TableClient,
  { puts, deletes }: Extract<Step, { puts: unknown }>,
): Promise<void> {
  if (puts.length === 1 && deletes.length === 0) {
    return void (await table.upsertEntity(entityOf(puts[0]!), 'Replace'));
  }
  await table.submitTransaction([
    ...puts.map((row) => ['upsert', entityOf(row), 'Replace'] as const),
    ...deletes.map((rowKey) => ['delete', { partitionKey: PARTITION, rowKey }] as const),
  ] as Parameters<TableClient['submitTransaction']>[0]);
}

function entityOf(row: Row) {
  return { partitionKey: PARTITION, ...row };
}
