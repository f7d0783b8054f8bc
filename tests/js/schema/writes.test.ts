// What writes refuse, and what they take.

import { beforeEach, expect, it } from 'vitest';

import type { Issue, TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
});

it('refuses a row with every issue, once', async () => {
  const odd = defineTable('Odd', {
    partitionKey: t.string(),
    rowKey: t.string(),
    code: t.string({ pattern: /^[a-z]+$/, maxLength: 5 }),
    word: t.string().refine((word) => word !== 'bad', 'The word is bad.'),
    size: t.int32({ maximum: 5 }),
  });
  const client = await tableOf(account, odd);
  const row = { partitionKey: 'p', rowKey: 'r', code: 'x', word: 'x', size: 1 };
  const bad = { ...row, code: 'A', word: 'bad', size: 6 };
  const all = ['schema-maximum size', 'schema-pattern code', 'schema-refine word'];
  const rulesOf = async (write: Promise<unknown>) => {
    const error = await tableError(write);
    // The service finds the first one, and its text is not ours.
    const [{ message }] = error.issues as [Issue];
    expect(error.message.split(message)).toHaveLength(2);
    expect(error.details).toMatchObject({ table: 'Odd', partitionKey: 'p' });
    return error.issues.map(({ rule, path }) => `${rule} ${String(path)}`);
  };

  for (const write of [
    () => client.insert(bad),
    () => client.put(bad),
    () => client.update(row, { code: 'A', word: 'bad', size: 6 }),
    () => client.insertMany([bad]),
  ]) {
    expect(await rulesOf(write())).toEqual(all);
  }
  // A property with a broken rule of the core gets no others, as in a validation.
  expect(await rulesOf(client.insert({ ...row, code: 'ABCDEF', word: 'bad' }))).toEqual([
    'schema-max-length code',
    'schema-refine word',
  ]);
  // A rule of the service comes first. A part may lack what is required.
  const long = 'x'.repeat(32769);
  const part = { partitionKey: 'p', rowKey: 'r', size: 6, note: long };
  const { partitionKey: _, rowKey: __, ...changes } = part;
  const ofPart = ['string-length note', 'schema-maximum size'];
  expect(await rulesOf(client.upsert(part))).toEqual(ofPart);
  expect(await rulesOf(client.update(row, changes))).toEqual(ofPart);
  expect(await rulesOf(client.insert({ ...row, ...part }))).toEqual(ofPart);
  expect(await rulesOf(client.upsert({ ...part, code: 'A' }))).toEqual([
    ...ofPart,
    'schema-pattern code',
  ]);
  expect((await rulesOf(client.insert(part as never))).sort()).toEqual([
    ...['schema-maximum size', 'schema-required code', 'schema-required word'],
    'string-length note',
  ]);
});

it('imports what a Blob streams', async () => {
  const lines = '{"PartitionKey":"p","RowKey":"r","size":1}\n';
  const sizes = defineTable('Sizes', {
    partitionKey: t.string(),
    rowKey: t.string(),
    size: t.int32(),
  });
  const client = await tableOf(account, sizes);

  expect(await client.import(new Blob([lines]).stream())).toEqual({ read: 1, stored: 1 });
  const row = { partitionKey: 'p', rowKey: 's', size: 2 };
  const rows = new ReadableStream<typeof row>({
    start(controller) {
      controller.enqueue(row);
      controller.close();
    },
  });
  await client.import(rows);
  expect(await client.count()).toBe(2);
});

it('drops what is not declared from what it writes, and merges into a row that has it', async () => {
  const declared = { partitionKey: t.string(), rowKey: t.string(), size: t.int32().optional() };
  const dropping = defineTable('Dropping', declared, { unknownProperties: 'drop' });
  const client = await tableOf(account, dropping);
  await account.ready;
  const untyped = account.tableClient('Dropping');
  const keys = { partitionKey: 'p', rowKey: 'r' };
  await untyped.createEntity({ ...keys, old: 'stays' });

  await client.upsert({ ...keys, size: 1, stray: 1 } as never);
  expect(await untyped.getEntity('p', 'r')).toMatchObject({ size: 1, old: 'stays' });
  await client.update(keys, { size: 2, stray: 1 } as never);
  await client.updateMany({ where: 'true', set: { size: 3, stray: 1 } as never });

  const stored = await untyped.getEntity('p', 'r');
  expect(stored).toMatchObject({ size: 3, old: 'stays' });
  expect(stored).not.toHaveProperty('stray');
  await client.put({ ...keys, size: 4 });
  expect(await untyped.getEntity('p', 'r')).not.toHaveProperty('old');
});

it('refuses bytes of an import with a property that would be dropped', async () => {
  const declared = { partitionKey: t.string(), rowKey: t.string() };
  const bytesTable = defineTable('Bytes', declared, { unknownProperties: 'drop' });
  const client = await tableOf(account, bytesTable);
  const bytes = new TextEncoder().encode('{"PartitionKey":"p","RowKey":"r","stray":1}');

  const { issues } = await tableError(client.import(bytes));
  expect(issues.map(({ rule, path }) => `${rule} ${String(path)}`)).toEqual([
    'schema-unknown stray',
  ]);
});

it('refuses a Double that is not finite from bytes and, where it is enforced, from every writer', async () => {
  const declared = { partitionKey: t.string(), rowKey: t.string(), d: t.double() };
  const table = defineTable('Finite', declared);
  const client = await tableOf(account, table);
  const row = '{"PartitionKey":"p","RowKey":"r","d@odata.type":"Edm.Double","d":"NaN"}';

  const bytes = client.import(new TextEncoder().encode(row));
  expect((await tableError(bytes)).issues).toMatchObject([{ rule: 'schema-type', path: ['d'] }]);
  const untyped = account.tableClient('Finite');
  await untyped.createEntity({ partitionKey: 'p', rowKey: 'before', d: NaN });
  await account.enforce(table);
  const write = untyped.createEntity({ partitionKey: 'p', rowKey: 'r', d: Infinity });
  expect((await tableError(write)).issues).toMatchObject([{ rule: 'schema-type', path: ['d'] }]);
});

it('is refused where the store holds every writer to the table', async () => {
  const declared = { partitionKey: t.string(), rowKey: t.string(), size: t.int32().optional() };
  const dropping = defineTable('Enforced', declared, { unknownProperties: 'drop' });
  const untyped = account.tableClient('Enforced');
  await untyped.createTable();
  const keys = { partitionKey: 'p', rowKey: 'r' };
  await untyped.createEntity({ ...keys, old: 1 });
  await account.enforce(dropping);

  const merge = (await tableOf(account, dropping)).update(keys, { size: 1 });
  expect((await tableError(merge)).issues).toMatchObject([{ rule: 'schema-unknown' }]);
});
