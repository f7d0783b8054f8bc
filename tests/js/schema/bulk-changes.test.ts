// Changes of all rows that fit a filter, in declared tables and under an enforced schema.

import { beforeEach, expect, expectTypeOf, it, vi } from 'vitest';

import { TableError, type TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, tableOf } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';

const pets = defineTable('Pets', {
  partitionKey: t.string(),
  rowKey: t.string(),
  age: t.int32({ maximum: 40 }),
  weight: t.double(),
  name: t.string().default('nobody'),
});

const row = (rowKey: string, age: number, more: object = {}) => ({
  ...{ partitionKey: 'p', rowKey, age, weight: 2 },
  ...more,
});

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
});

const untyped = () => account.tableClient('Pets');

it('take rows, and give properties their declared types', async () => {
  const table = await tableOf(account, pets);
  for (const age of [1, 2, 3]) await table.insert(row(`${age}`, age));

  const set = vi.fn((pet: { name: string; age: number }) => {
    expectTypeOf(pet.name).toEqualTypeOf<string>();
    return { age: pet.age + 10, weight: 5 };
  });
  const where = pets.where(({ age }) => age.gt(1));
  expect(await table.updateMany({ where, set })).toEqual({ found: 2, updated: 2, refused: 0 });

  expect(set.mock.calls[0]![0]).toMatchObject({ name: 'nobody', age: 2 });
  expect(await untyped().getEntity('p', '2', { typed: true })).toMatchObject({
    age: { type: 'Int32', value: 12 },
    weight: { type: 'Double', value: 5 },
  });
  expect(await table.deleteMany({ where: 'age eq 13' })).toEqual({ found: 1, deleted: 1 });
  expect((await table.list()).map(({ rowKey }) => rowKey)).toEqual(['1', '2']);
  // @ts-expect-error -- an age is a number
  const wrong = () => table.updateMany({ where, set: { age: 'old' } });
  expect(wrong).toBeTypeOf('function');
});

it('report rows that break the definition, and update the others', async () => {
  const table = await tableOf(account, pets);
  for (const age of [5, 38, 39]) await table.insert(row(`${age}`, age));
  const onRefused = vi.fn<(error: TableError) => void>();

  const set = ({ age }: { age: number }) => ({ age: age + 2 });
  const result = await table.updateMany({ where: 'true', set, onRefused });

  expect(result).toEqual({ found: 3, updated: 2, refused: 1 });
  const [[error] = []] = onRefused.mock.calls;
  expect(error).toMatchObject({ code: 'SchemaViolation', details: { rowKey: '39' } });
  expect(error!.issues[0]).toMatchObject({ path: ['age'] });
  expect((await table.list()).map(({ age }) => age)).toEqual([40, 39, 7]);
});

it.each(['keep', 'reject', 'drop'] as const)(
  'treat a misspelt name as update does: %s',
  async (unknownProperties) => {
    const keys = { partitionKey: t.string(), rowKey: t.string() };
    const cats = defineTable('Pets', { ...keys, age: t.int32() }, { unknownProperties });
    const table = await tableOf(account, cats);
    for (const rowKey of ['1', '2']) {
      await table.insert({ partitionKey: 'p', rowKey, age: 3 });
    }
    // Plain JavaScript has no compiler that would find it.
    const misspelt = { aeg: 4 } as object;
    const outcomeOf = (call: Promise<unknown>) =>
      call.then(
        () => 'stored',
        ({ code, issues }: TableError) => [code, issues[0]!.rule, String(issues[0]!.path)],
      );

    const one = await outcomeOf(table.update({ partitionKey: 'p', rowKey: '1' }, misspelt));
    const all = await outcomeOf(table.updateMany({ where: "rowKey eq '2'", set: misspelt }));

    const refusal = ['SchemaViolation', 'schema-unknown', 'aeg'];
    expect(all).toEqual(unknownProperties === 'reject' ? refusal : 'stored');
    expect(all).toEqual(one);
    const { aeg } = await untyped().getEntity('p', '2');
    expect(aeg).toBe(unknownProperties === 'keep' ? 4 : undefined);
  },
);

it('check the patterns of keys, which only another writer can break', async () => {
  const cats = defineTable('Pets', {
    partitionKey: t.string({ pattern: /^p/ }),
    rowKey: t.string(),
    age: t.int32(),
  });
  for (const partitionKey of ['p', 'x'])
    await untyped().createEntity({ ...row('1', 2), partitionKey });
  const onRefused = vi.fn<(error: TableError) => void>();

  const table = await tableOf(account, cats);
  const result = await table.updateMany({ where: 'true', set: { age: 9 }, onRefused });

  expect(result).toEqual({ found: 2, updated: 1, refused: 1 });
  expect(onRefused.mock.calls[0]![0].issues[0]).toMatchObject({ rule: 'schema-pattern' });
});

it('are one commit: rows of a step have one etag', async () => {
  for (const partitionKey of ['a', 'b']) {
    for (const n of [1, 2]) await untyped().createEntity(row(`${n}`, n, { partitionKey }));
  }

  await (await tableOf(account, pets)).updateMany({ where: 'true', set: { weight: 3 } });

  const rows = await collect(untyped().listEntities());
  expect(new Set(rows.map(({ etag }) => etag)).size).toBe(1);
});

it('report entities that break an enforced schema', async () => {
  await untyped().createEntity(row('new', 3));
  await untyped().createEntity(row('old', 70));
  await account.enforce(pets);
  const onRefused = vi.fn<(error: TableError) => void>();

  const set = { weight: 2.5 };
  expect(await errorCode(untyped().updateEntities({ filter: 'age eq 70', set }))).toBe(
    'SchemaViolation',
  );
  const result = await untyped().updateEntities({ filter: 'true', set, onRefused });

  expect(result).toEqual({ found: 2, updated: 1, refused: 1 });
  expect(onRefused.mock.calls[0]![0]).toMatchObject({
    code: 'SchemaViolation',
    details: { rowKey: 'old' },
  });
  // A deletion breaks no rule.
  expect(await untyped().deleteEntities({ filter: 'age eq 70' })).toEqual({ found: 1, deleted: 1 });
});

it('upgrade rows of older versions, and refuse those of newer ones', async () => {
  const keys = { partitionKey: t.string(), rowKey: t.string() };
  const first = defineTable('Pets', { ...keys, name: t.string() }, { version: 1 });
  const second = defineTable(
    'Pets',
    { ...keys, title: t.string(), seen: t.boolean().optional() },
    {
      version: 2,
      upgrade: { 1: ({ name, ...rest }: Record<string, unknown>) => ({ ...rest, title: name }) },
    },
  );
  const table = await tableOf(account, second);
  const older = await tableOf(account, first);
  await older.insert({ partitionKey: 'p', rowKey: '1', name: 'Rex' });
  await table.insert({ partitionKey: 'p', rowKey: '2', title: 'Ada' });
  await untyped().createEntity({ partitionKey: 'p', rowKey: '3', schemaVersion: 3 });
  const onRefused = vi.fn<(error: TableError) => void>();

  const result = await table.updateMany({ where: 'true', set: { seen: true }, onRefused });

  expect(result).toEqual({ found: 3, updated: 2, refused: 1 });
  expect(onRefused.mock.calls[0]![0]).toMatchObject({ code: 'SchemaVersionTooNew' });
  expect(await untyped().getEntity('p', '1')).toMatchObject({ title: 'Rex', seen: true });
  expect(await untyped().getEntity('p', '1')).not.toHaveProperty('name');
  // Rows are deleted without being read.
  expect(await table.deleteMany({ where: 'true' })).toEqual({ found: 3, deleted: 3 });
  const failing = table.updateMany({ where: 'true', set: { title: 5 as never } });
  expect(await failing).toEqual({ found: 0, updated: 0, refused: 0 });
});

it('end at a row of a newer version, if they calculate with rows', async () => {
  const properties = { partitionKey: t.string(), rowKey: t.string() };
  const table = await tableOf(account, defineTable('Pets', properties, { version: 1 }));
  await untyped().createEntity({ partitionKey: 'p', rowKey: '3', schemaVersion: 3 });

  const error = await tableError(table.updateMany({ where: 'true', set: () => ({}) }));
  expect(error).toMatchObject({ code: 'SchemaVersionTooNew', details: { rowKey: '3', stored: 0 } });
});
