// The code with which a typed write refuses a row.

import { expect, it } from 'vitest';

import { openAccount, type TableClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const pets = defineTable('Pets', {
  ...KEYS,
  name: t.string({ minLength: 2 }),
  age: t.int32({ maximum: 40 }),
});
const row = { partitionKey: 'p', rowKey: 'r', name: 'Ada', age: 1 };

it('is SchemaViolation, whatever is stored', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.table(pets);
  await table.createTable();
  await table.createEntity(row);

  const { partitionKey, rowKey } = row;
  for (const [bad, rules] of [
    [{ ...row, name: 'A' }, ['schema-min-length']],
    [{ partitionKey, rowKey, age: 1 }, ['schema-required']],
    [{ partitionKey, rowKey, age: 41 }, ['schema-maximum', 'schema-required']],
  ] as [typeof row, string[]][]) {
    for (const write of [
      () => table.createEntity(bad),
      () => table.submitTransaction([['create', bad]]),
      () => table.updateEntity({ ...bad, rowKey: 'none' }, 'Replace'),
    ]) {
      const error = await tableError(write());
      expect(error.code).toBe('SchemaViolation');
      expect(error.violations.map(({ rule }) => rule).sort()).toEqual(rules);
      expect(error.details).toMatchObject({ table: 'Pets', partitionKey: 'p' });
    }
  }
  expect(await errorCode(table.createEntity(row))).toBe('EntityAlreadyExists');
  const [merge] = [table.updateEntity({ partitionKey, rowKey: 'none', name: 'A' })];
  expect(await errorCode(merge)).toBe('SchemaViolation');
  const missing = table.updateEntity({ partitionKey, rowKey: 'none', name: 'Bo' });
  expect(await errorCode(missing)).toBe('ResourceNotFound');
  const deletion = table.submitTransaction([['delete', { partitionKey, rowKey: 'none' }]]);
  expect(await errorCode(deletion)).toBe('ResourceNotFound');
});

it.each<[string, unknown[]]>([
  ['is missing', new Array(2)],
  ['is a symbol', [Symbol('create')]],
  ['has a kind that is a symbol', [[Symbol('create'), row]]],
  ['has a mode that is a symbol', [['upsert', row, Symbol('Merge')]]],
  ['has no row', [['create']]],
  ['has a row that is a symbol', [['create', Symbol('row')]]],
])('of a transaction is InvalidInput if its first action %s', async (_, actions) => {
  const account = await openForTest({ storage: memoryStorage() });
  const upgrade = { 1: (old: object) => old };
  for (const options of [{}, { refine: () => [] }, { version: 2, upgrade }]) {
    const table = account.table(defineTable('Odd', KEYS, options));
    await table.createTable();

    const error = await tableError(table.submitTransaction(actions as never));

    expect(error.code).toBe('InvalidInput');
    expect(error.details.operationIndex).toBe(0);
    expect(await table.countEntities()).toBe(0);
  }
});

it('has the index of the action, and what is stored of a split transaction', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const table = account.table(pets);
  await table.createTable();
  await table.createEntity(row);

  const create = ['create', { ...row, partitionKey: 'q' }] as const;
  const bad = ['create', { ...row, name: 'A' }] as const;
  const error = await tableError(table.submitTransaction([create, bad], { split: true }));
  expect(error).toMatchObject({
    code: 'SchemaViolation',
    details: { operationIndex: 1, stored: 1 },
  });
  expect(error.message).toMatch(/^1:/);
});

it('depends on the profile of its own account', async () => {
  const checked = defineTable('Pets', {
    ...KEYS,
    n: t.int32().refine((n) => n !== 7, 'is 7'),
  });
  const account = await openForTest({ storage: memoryStorage() });
  const service = await openAccount({ storage: memoryStorage(), profile: 'service' });
  const long = { partitionKey: 'k'.repeat(600), rowKey: 'r', n: 7 };
  await account.createTable('Pets');
  await service.createTable('Pets');

  const rulesOf = async (one: typeof account, write = one.table(checked).createEntity(long)) =>
    (await tableError(write)).violations.map(({ rule }) => rule);
  expect(await rulesOf(account)).toEqual(['schema-refine']);
  expect(await rulesOf(service)).toEqual(['key-length', 'schema-refine']);
  const imported = account.table(checked).importEntities([long]);
  expect(await rulesOf(account, imported as never)).toEqual(['schema-refine']);
  await service.close();
  // Views look forms of rows up by the object.
  const formOf = () => (account.table(checked) as unknown as TableClient).requests.rows;
  expect(formOf()).toBe(formOf());
  await account.table(checked).upsertEntity({ ...long, n: 1 });
});

it('says what is wrong with a number that is no Int32 or Int64', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const numbers = defineTable('Numbers', {
    ...KEYS,
    n: t.int32().optional(),
    big: t.int64().optional(),
  });
  const table = account.table(numbers);
  await table.createTable();

  const keys = { partitionKey: 'p', rowKey: 'r' };
  for (const [values, rule, message] of [
    [
      { n: 3_000_000_000 },
      'int32-range',
      'Property "n" holds 3000000000, which is beyond Int32: -2147483648 to 2147483647.',
    ],
    [{ n: 1.5 }, 'schema-type', 'Property "n" holds 1.5, which is not a whole number.'],
    [{ n: NaN }, 'schema-type', 'Property "n" holds NaN, which is not a whole number.'],
    [{ big: 1.5 }, 'schema-type', 'Property "big" holds 1.5, which is not a whole number.'],
    [
      { big: 5 },
      'schema-type',
      'Property "big" holds 5, which is not Int64 (a bigint of 64 bits).',
    ],
  ] as const) {
    const bad = { ...keys, ...values } as never;
    expect(numbers.validate(bad)).toMatchObject({ issues: [{ rule, message }] });
    for (const write of [() => table.createEntity(bad), () => table.updateEntity(bad)]) {
      const error = await tableError(write());
      expect(error.code).toBe('SchemaViolation');
      expect(error.violations).toMatchObject([{ rule, explanation: message }]);
      expect(error.message).toContain(message);
    }
  }
});
