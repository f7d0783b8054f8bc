// A Double is a number here, and stays a Double when it is written back.

import { beforeEach, describe, expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import type { TableClient, TableServiceClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';

const KEYS = { partitionKey: 'p', rowKey: 'r' };

let account: TableServiceClient;
let table: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage(), name: 'devstoreaccount1' });
  table = account.tableClient('Prices');
  await table.createTable();
  await table.createEntity({ ...KEYS, price: { type: 'Double', value: 4 }, count: 4 });
});

type Prices = typeof KEYS & { price: number; count: number };

const read = () => table.getEntity<Prices>('p', 'r');

/** The names of the stored types. */
async function types(rowKey = 'r'): Promise<Record<string, unknown>> {
  const typed = await table.getEntity<Record<string, { type: string }>>('p', rowKey, {
    disableTypeConversion: true,
  });
  return { price: typed['price']?.type, count: typed['count']?.type };
}

const KEPT = { price: 'Double', count: 'Int32' };

it('comes back as a number', async () => {
  expect(await read()).toMatchObject({ price: 4, count: 4 });
  for await (const { price } of table.listEntities<Prices>()) expect(price + 1).toBe(5);
});

describe('an entity that was read stays what it was', () => {
  const COPIES: Record<string, (entity: object) => object> = {
    'after a spread': (entity) => ({ ...entity }),
    'after JSON': (entity) => JSON.parse(JSON.stringify(entity)) as object,
    'after structuredClone': (entity) => structuredClone(entity),
  };
  it.each(Object.keys(COPIES))('%s', async (name) => {
    for (const mode of ['Merge', 'Replace'] as const) {
      const copy = COPIES[name]!(await read()) as Prices;
      await table.updateEntity({ ...copy, price: copy.price + 1 }, mode);

      expect(await types()).toEqual(KEPT);
    }
    expect((await read()).price).toBe(6);
  });
});

describe('a whole number takes the stored type', () => {
  const five = { ...KEYS, price: 5, count: 5 };
  const WRITES: Record<string, () => Promise<unknown>> = {
    'in a merge': () => table.updateEntity(five, 'Merge'),
    'in a replace': () => table.updateEntity(five, 'Replace'),
    'in an upsert that merges': () => table.upsertEntity(five, 'Merge'),
    'in an upsert that replaces': () => table.upsertEntity(five, 'Replace'),
    'in a transaction': () =>
      table.submitTransaction([
        ['update', five, 'Replace'],
        ['upsert', { ...five, rowKey: 'other' }, 'Merge'],
      ]),
    'in an import that merges': () => table.importEntities([five], { mode: 'Merge' }),
    'in an import that replaces': () => table.importEntities([five], { mode: 'Replace' }),
    // A Guid has no packed form, so this entity goes as JSON.
    'in an import of mixed forms': () =>
      table.importEntities(
        [{ ...five, tag: { type: 'Guid', value: '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001' } }],
        { mode: 'Replace' },
      ),
  };
  it.each(Object.keys(WRITES))('%s', async (name) => {
    await WRITES[name]!();

    expect(await types()).toEqual(KEPT);
    expect(await read()).toMatchObject({ price: 5, count: 5 });
  });
});

it('has the type that is given, and the one of its first write', async () => {
  await table.upsertEntity({ ...KEYS, price: { type: 'Int32', value: 5 } });
  expect(await types()).toMatchObject({ price: 'Int32' });
  await table.upsertEntity({ ...KEYS, price: 5.5 });
  expect(await types()).toMatchObject({ price: 'Double' });
  await table.importEntities([{ ...KEYS, price: { type: 'Int32', value: 5 } }], { mode: 'Merge' });
  expect(await types()).toMatchObject({ price: 'Int32' });
  await table.createEntity({ ...KEYS, rowKey: 'new', price: 5 });
  expect(await types('new')).toMatchObject({ price: 'Int32' });
});

it('is an Int32 over HTTP and in bytes, as in the service', async () => {
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const url = "http://127.0.0.1:10002/devstoreaccount1/Prices(PartitionKey='p',RowKey='r')";
  const merge = new Request(url, {
    method: 'MERGE',
    headers: { 'Content-Type': 'application/json' },
    body: '{"price":5}',
  });
  expect((await handler(merge)).status).toBe(204);
  expect(await types()).toMatchObject({ price: 'Int32' });

  await table.upsertEntity({ ...KEYS, price: 5.5 });
  const bytes = new TextEncoder().encode('{"PartitionKey":"p","RowKey":"r","price":5}');
  await table.importEntities(bytes, { mode: 'Merge' });
  expect(await types()).toMatchObject({ price: 'Int32' });
});
