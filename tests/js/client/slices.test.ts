// Long work of the clients gives others their turn.

import { beforeEach, expect, it } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { chunksOf, dogs, linesOf } from '../support/dogs.js';
import { Received } from '../support/received.js';
import { turnsDuring } from '../support/turns.js';

const COUNT = 3000;

let account: TableServiceClient;
let table: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  table = account.tableClient('Pets');
});

const bytes = linesOf([...dogs(COUNT)]);

it.each([
  ['a generator', () => dogs(COUNT), COUNT / 8],
  ['an array', () => [...dogs(COUNT)], COUNT / 8],
  ['many chunks', () => chunksOf(bytes, 1000), bytes.length / 1000],
  ['one long chunk', () => new Uint8Array(2 ** 21).fill(32), 2 ** 21 / 2 ** 18],
])('takes turns in an import of %s', async (_name, source, steps) => {
  expect(await turnsDuring(() => table.importEntities(source()))).toBeGreaterThanOrEqual(steps);
});

it('takes turns in reads of a table', async () => {
  await table.importEntities(dogs(COUNT));

  const elements = await turnsDuring(() => collect(table.listEntities()));
  const pages = await turnsDuring(() => collect(table.listEntities().byPage({ maxPageSize: 30 })));
  const parts = await turnsDuring(() => collect(table.exportEntities()));

  expect(elements).toBeGreaterThanOrEqual(COUNT / 1000);
  expect(pages).toBeGreaterThanOrEqual(COUNT / 30);
  expect(parts).toBeGreaterThanOrEqual(COUNT / 1000);
});

it('takes turns in an archive', async () => {
  await table.importEntities(dogs(COUNT));
  const chunks: Uint8Array[] = [];

  const written = await turnsDuring(async () => {
    for await (const chunk of exportAll(account)) chunks.push(chunk);
  });
  await table.deleteTable();
  const read = await turnsDuring(() => importAll(account, chunks));

  expect(written).toBeGreaterThanOrEqual(COUNT / 1000);
  expect(read).toBeGreaterThanOrEqual(chunks.length);
});

it('takes turns in the first result of a live query', async () => {
  await table.importEntities(dogs(COUNT));
  const untilLoaded = async () => {
    const results = new Received<unknown>();
    const stop = table.liveEntities().subscribe({ next: results.listener });
    await results.next();
    stop();
  };
  // Loads the script.
  await untilLoaded();

  expect(await turnsDuring(untilLoaded)).toBeGreaterThanOrEqual(COUNT / 1000);
});
