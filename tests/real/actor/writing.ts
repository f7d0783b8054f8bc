// writing.ts - writes sequences of steps until the end of the browser.

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../js/src/index.js';
import { SEQUENCES, type Row, type SequenceName, type Step } from '../support/sequences.js';
import { counted, newCounts } from './counts.js';
import { report } from './socket.js';
import { storageOf, type StorageName } from './storages.js';

const PARTITION = 'p';

let account: TableServiceClient | undefined;
const counts = newCounts();

/** How many steps of each sequence were acknowledged. */
export type Progress = Record<SequenceName, number>;

export const writing = {
  /** All tables and their rows, as a newly opened account sees them. */
  async readAll(storage: StorageName): Promise<Record<string, Row[]>> {
    account = await openAccount({
      storage: counted(await storageOf(storage, 'killed'), counts),
      wasm: '/entitable.wasm',
    });
    const tables: Record<string, Row[]> = {};
    for await (const { name } of account.listTables()) {
      tables[name!] = await rowsOf(account.tableClient(name!));
    }
    return tables;
  },

  /** Continues every sequence until the end of the browser. */
  async write(from: Progress): Promise<void> {
    const writers = Object.entries(from) as [SequenceName, number][];
    await Promise.all(writers.map(([sequence, done]) => continueWith(sequence, done)));
  },
};

async function rowsOf(table: TableClient): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const { rowKey, turn, text } of table.listEntities<Omit<Row, 'rowKey'>>()) {
    rows.push({ rowKey: rowKey!, turn, text });
  }
  return rows;
}

async function continueWith(sequence: SequenceName, done: number): Promise<never> {
  for (let number = done + 1; ; number++) {
    await carryOut(SEQUENCES[sequence](number));
    const { flushes, compactions } = counts;
    await report({ sequence, number, flushes, compactions });
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
