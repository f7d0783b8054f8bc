// The code with which a write refuses a row.

import { expect, it } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const pets = defineTable('Pets', {
  ...KEYS,
  name: t.string({ minLength: 2 }),
  age: t.int32({ maximum: 40 }),
});
const row = { partitionKey: 'p', rowKey: 'r', name: 'Ada', age: 1 };

it('is SchemaViolation, whatever is stored', async () => {
  const account = await openForTest({ storage: memoryStorage(), tables: { pets } });
  const table = account.tables.pets;
  await table.insert(row);

  const { partitionKey, rowKey } = row;
  for (const [bad, rules] of [
    [{ ...row, name: 'A' }, ['schema-min-length']],
    [{ partitionKey, rowKey, age: 1 }, ['schema-required']],
    [{ partitionKey, rowKey, age: 41 }, ['schema-maximum', 'schema-required']],
  ] as [typeof row, string[]][]) {
    for (const write of [
      () => table.insert(bad),
      () => table.put({ ...bad, rowKey: 'none' }),
      () => table.insertMany([{ ...bad, rowKey: 'none' }]),
      () => account.transaction((tx) => tx.pets.insert(bad)),
    ]) {
      const error = await tableError(write());
      expect(error.code).toBe('SchemaViolation');
      expect(error.issues.map(({ rule }) => rule).sort()).toEqual(rules);
      expect(error.details).toMatchObject({ table: 'Pets', partitionKey: 'p' });
      const { code, message } = error.details.odataError;
      expect([code, error.message]).toEqual([
        'SchemaViolation',
        expect.stringContaining(error.issues[0]!.message),
      ]);
      expect(error.message.startsWith(message.value)).toBe(true);
    }
  }
  expect(await errorCode(table.insert(row))).toBe('EntityAlreadyExists');
  const none = { partitionKey, rowKey: 'none' };
  expect(await errorCode(table.update(none, { name: 'A' }))).toBe('SchemaViolation');
  expect(await errorCode(table.update(none, { name: 'Bo' }))).toBe('ResourceNotFound');
  const stopped = await tableError(
    table.insertMany([
      { ...row, rowKey: 's' },
      { ...row, age: 41 },
    ]),
  );
  expect(stopped.details).toMatchObject({ entityIndex: 1, stored: 1, rowKey: 'r' });
});

it('depends on the profile of its own account', async () => {
  const checked = defineTable('Pets', {
    ...KEYS,
    n: t.int32().refine((n) => n !== 7, 'is 7'),
  });
  const account = await openForTest({ storage: memoryStorage(), tables: { checked } });
  const service = await openAccount({
    ...{ storage: memoryStorage(), profile: 'service' },
    tables: { checked },
  });
  const long = { partitionKey: 'k'.repeat(600), rowKey: 'r', n: 7 };

  const rulesOf = async (write: Promise<unknown>) =>
    (await tableError(write)).issues.map(({ rule }) => rule);
  expect(await rulesOf(account.tables.checked.insert(long))).toEqual(['schema-refine']);
  expect(await rulesOf(service.tables.checked.insert(long))).toEqual([
    ...['key-length', 'schema-refine'],
  ]);
  expect(await rulesOf(account.tables.checked.insertMany([long]))).toEqual(['schema-refine']);
  await service.close();
  await account.tables.checked.upsert({ ...long, n: 1 });
});

it('says what is wrong with a number that is no Int32 or Int64', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const numbers = defineTable('Numbers', {
    ...KEYS,
    n: t.int32().optional(),
    big: t.int64().optional(),
  });
  const table = await tableOf(account, numbers);

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
    for (const write of [() => table.insert(bad), () => table.update(keys, values as never)]) {
      const error = await tableError(write());
      expect(error.code).toBe('SchemaViolation');
      expect(error.issues).toMatchObject([{ rule, message }]);
      expect(error.message).toContain(message);
    }
  }
});
