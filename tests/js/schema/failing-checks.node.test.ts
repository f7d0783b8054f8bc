// Functions of the app that fail while a row is checked.

import { beforeEach, expect, it, vi } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t, type StandardSchema, type TableCheck } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };
const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const cause = new RangeError('no answer');
const fail = (): never => {
  throw cause;
};

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
});

it.each([
  ['throws', fail],
  ['rejects', () => Promise.reject(cause)],
])('a check that %s makes a write fail, with the property and the keys', async (_, check) => {
  const users = defineTable('Users', { ...KEYS, age: t.int32().refine(check, 'is bad') });
  const table = await tableOf(account, users);

  const row = { ...keys, age: 1 };
  for (const write of [
    () => table.insert(row),
    () => table.update(keys, { age: 1 }),
    () => table.insertMany([row]),
  ]) {
    const error = await tableError(write());
    expect({ code: error.code, cause: error.cause, ...error.details }).toMatchObject({
      ...{ code: 'SchemaViolation', cause, table: 'Users', ...keys },
    });
    expect(error.message).toContain('A check of property "age" has failed. RangeError: no answer');
  }
  const validation = tableError((async () => await users.validate(row))());
  expect(await validation).toMatchObject({ code: 'SchemaViolation', cause });
});

it('a check that throws after another has begun leaves no rejection unhandled', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  const users = defineTable('Users', {
    ...KEYS,
    mail: t.string().refine(() => Promise.reject(new Error('server away')), 'is taken'),
    age: t.int32().refine(fail, 'is bad'),
  });

  const write = (await tableOf(account, users)).insert({ ...keys, mail: 'm', age: 1 });
  expect(await tableError(write)).toMatchObject({ code: 'SchemaViolation', cause });
  // The platform reports it once the queue of microtasks is empty.
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

const standard = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

it.each<[string, StandardSchema | TableCheck<object>, string]>([
  ['throws', standard(fail), 'RangeError: no answer'],
  ['rejects', standard(() => Promise.reject(cause)), 'RangeError: no answer'],
  [
    'returns no result',
    standard(() => undefined as never),
    'TypeError: It returned undefined, which is no result of a Standard Schema.',
  ],
  [
    'returns a promise of no result',
    standard(() => Promise.resolve(undefined as never)),
    'TypeError: It returned undefined, which is no result of a Standard Schema.',
  ],
  [
    'has issues that are no list',
    standard(() => ({ issues: null as never })),
    'TypeError: It returned null, which is no list of issues.',
  ],
  ['is a function that throws', fail, 'RangeError: no answer'],
  [
    'is a function that returns no list',
    () => undefined as never,
    'TypeError: It returned undefined, which is no list of issues.',
  ],
])('a table whose refine %s refuses the row', async (_, refine, sentence) => {
  const table = await tableOf(account, defineTable('Users', KEYS, { refine }));

  const error = await tableError(table.insert(keys));
  expect({ code: error.code, ...error.details }).toMatchObject({
    ...{ code: 'SchemaViolation', table: 'Users', ...keys },
  });
  expect(error.message).toContain(`The refine of the table has failed. ${sentence}`);
});

it('a result of a Standard Schema with issues is a failure, also without any', async () => {
  const refine = standard(() => ({ issues: [] }));
  const users = defineTable('Users', KEYS, { refine });

  const error = await tableError((await tableOf(account, users)).insert(keys));
  expect(error.issues).toMatchObject([{ rule: 'schema-refine', code: 'SchemaViolation' }]);
  expect(users.validate(keys)).toMatchObject({ issues: [{ rule: 'schema-refine' }] });
});

it('a row whose getter throws is refused, with the property', async () => {
  const users = defineTable('Users', { ...KEYS, age: t.int32() });
  const table = await tableOf(account, users);
  const row = {
    ...keys,
    get age() {
      return fail();
    },
  };

  for (const write of [
    () => table.insert(row),
    () => table.insertMany([row]),
    async () => await users.validate(row),
  ]) {
    const error = await tableError(write());
    expect(error).toMatchObject({ code: 'SchemaViolation', cause, details: keys });
    expect(error.message).toContain('Property "age" cannot be read. RangeError: no answer');
  }
});

it('a function may check a whole row', async () => {
  const stays = defineTable(
    'Users',
    { ...KEYS, from: t.int32(), until: t.int32() },
    {
      refine: ({ from, until }) =>
        from <= until ? [] : [{ message: 'It ends too early.', path: ['until'] }],
    },
  );

  const bad = { ...keys, from: 2, until: 1 };
  const message = 'It ends too early.';
  expect(stays.validate({ ...bad, until: 2 })).toEqual({ value: { ...bad, until: 2 } });
  expect(stays.validate(bad)).toEqual({ issues: [{ message, path: ['until'] }] });
  const table = await tableOf(account, stays);
  const { issues } = await tableError(table.insert(bad));
  expect(issues).toMatchObject([{ path: ['until'], message }]);
});

it.each(['function', 'other validator'])('no write gives a wrong row to a %s', async (kind) => {
  const checked: unknown[] = [];
  const validator = standard((row) => {
    checked.push(row);
    return { value: row };
  });
  const refine = (row: unknown) => {
    checked.push(row);
    return [];
  };
  const properties = { ...KEYS, from: t.int32({ minimum: 0 }), note: t.text({ maxLength: 3 }) };
  const table = await tableOf(
    account,
    defineTable('Users', properties, { refine: kind === 'function' ? refine : validator }),
  );

  const rulesOf = async (write: Promise<unknown>) =>
    (await tableError(write)).issues.map(({ rule }) => rule);
  expect(await rulesOf(table.insert(keys as never))).toEqual([
    'schema-required',
    'schema-required',
  ]);
  expect(await rulesOf(table.put({ ...keys, from: -1, note: '' }))).toEqual(['schema-minimum']);
  expect(await rulesOf(table.upsert({ ...keys, from: 1, note: 'long' }))).toEqual([
    'schema-max-length',
  ]);
  expect(await rulesOf(table.insertMany([{ ...keys, from: 'x' as never, note: '' }]))).toEqual([
    'schema-type',
  ]);
  expect(checked).toEqual([]);
  await table.insert({ ...keys, from: 1, note: '' });
  expect(checked).toEqual([{ ...keys, from: 1, note: '' }]);
});
