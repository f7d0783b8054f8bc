// Values of rows: what checks see is what is stored, and what reads return can be written.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t, type Issue, type StandardResult } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const keys = { partitionKey: 'p', rowKey: 'r' };
const FINE = '2024-05-01T00:00:00.1234567Z';
const fineTime = { type: 'DateTime', value: FINE } as const;

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Values');
});

const untyped = () => account.tableClient('Values');
const rulesOf = (result: StandardResult<object, Issue> | Promise<unknown>) =>
  ((result as StandardResult<object, Issue>).issues ?? []).map(
    ({ rule, path }) => `${rule} ${String(path)}`,
  );

describe('a value that says its type', () => {
  const users = defineTable('Values', {
    ...KEYS,
    name: t
      .string({ pattern: /^[a-z]+$/ })
      .refine((name) => name !== 'admin', 'is taken')
      .optional(),
    at: t
      .dateTime({ precise: true })
      .refine((at) => at >= '2024', 'is too old')
      .optional(),
  });

  it('is checked as the value itself', async () => {
    for (const [given, broken] of [
      [{ name: { type: 'String', value: 'admin' } }, 'schema-refine name'],
      [{ name: { type: 'String', value: 'A' } }, 'schema-pattern name'],
      [{ at: { type: 'DateTime', value: '2020-01-01T00:00:00Z' } }, 'schema-refine at'],
      [{ at: new Date('2020-01-01T00:00:00Z') }, 'schema-refine at'],
    ] as const) {
      const row = { ...keys, ...given } as never;
      expect(rulesOf(users.validate(row))).toEqual([broken]);
      const client = await tableOf(account, users);
      const writes = [
        () => client.insert(row),
        () => client.upsert(row),
        () => client.update(keys, given as never),
        () => client.insertMany([row]),
      ];
      for (const write of writes) {
        const { issues } = await tableError(write());
        expect(issues.map(({ rule, path }) => `${rule} ${String(path)}`)).toEqual([broken]);
      }
    }
    expect(await untyped().countEntities()).toBe(0);
  });

  it('is refused in a form that no check takes', async () => {
    for (const at of ['2030-01-01', '2030-01-01T00:00:00+02:00', '2030-02-30T00:00:00Z']) {
      for (const given of [at, { type: 'DateTime', value: at }]) {
        const row = { ...keys, at: given } as never;
        expect(rulesOf(users.validate(row))).toHaveLength(1);
        await tableError((await tableOf(account, users)).insert(row));
      }
    }
    const dates = defineTable('Values', { ...KEYS, at: t.dateTime() });
    const row = { ...keys, at: { type: 'DateTime', value: '2030-01-01' } } as never;
    expect(rulesOf(dates.validate(row))).toEqual(['schema-type at']);
    const { issues } = await tableError((await tableOf(account, dates)).insert(row));
    expect(issues).toMatchObject([{ rule: 'schema-type', path: ['at'] }]);
    expect(issues[0]!.message).toContain('DateTime (a Date from the year 1601 on)');
  });

  it('has the form of the declared type in the result', () => {
    const all = defineTable('Values', {
      ...{ ...KEYS, text: t.string(), big: t.int64(), real: t.double(), at: t.dateTime() },
      ...{ id: t.guid(), bytes: t.binary(), fine: t.dateTime({ precise: true }) },
    });
    const id = 'a455c695-df98-5678-aaaa-81d3367e5a34';
    const given = {
      ...keys,
      text: { type: 'String', value: 'x' },
      big: { type: 'Int64', value: '-5' },
      real: { type: 'Double', value: 5 },
      at: { type: 'DateTime', value: '2024-05-01T00:00:00.123Z' },
      id: { type: 'Guid', value: id },
      bytes: { type: 'Binary', value: 'AQI=' },
      fine: fineTime,
    };

    expect(all.validate(given)).toEqual({
      value: {
        ...{ ...keys, text: 'x', big: -5n, real: 5, at: new Date('2024-05-01T00:00:00.123Z') },
        ...{ id, bytes: Uint8Array.of(1, 2), fine: FINE },
      },
    });
    const wrong = {
      ...given,
      big: { type: 'Int64', value: 'x' },
      bytes: { type: 'Binary', value: '*' },
    };
    expect(rulesOf(all.validate(wrong)).sort()).toEqual(['base64 bytes', 'int64-format big']);
  });
});

describe('a write', () => {
  const table = defineTable('Values', { ...KEYS, bytes: t.binary(), at: t.dateTime() });
  const versioned = defineTable('Values', table.properties, { version: 1 });

  it('stores bytes and times as they are at the call', async () => {
    for (const client of [await tableOf(account, table), await tableOf(account, versioned)]) {
      const writes = [
        (row: never) => client.insert(row),
        (row: never) => client.put(row),
        (row: never) => client.upsert(row),
        ({ partitionKey: _, rowKey: __, ...changes }: typeof keys) =>
          client.update(keys, changes as never),
      ];
      for (const [at, write] of writes.entries()) {
        const row = {
          ...keys,
          bytes: Uint8Array.of(at),
          at: new Date(at),
          more: Uint8Array.of(at),
        };
        const typed = { type: 'Binary', value: Uint8Array.of(at) };
        const writing = write({ ...row, typed } as never);
        row.bytes.fill(9);
        row.more.fill(9);
        typed.value.fill(9);
        row.at.setUTCFullYear(1999);
        await writing;
        expect(await untyped().getEntity('p', 'r')).toMatchObject({
          ...{ bytes: Uint8Array.of(at), more: Uint8Array.of(at), typed: Uint8Array.of(at) },
          at: new Date(at),
        });
      }
      await untyped().deleteEntity('p', 'r');
    }
  });

  it('stores the declared default, whatever was done with a row that has it', async () => {
    const at = new Date('2020-01-01T00:00:00Z');
    const defaults = defineTable('Values', {
      ...{ ...KEYS, at: t.dateTime().default(at), bytes: t.binary().default(Uint8Array.of(1)) },
    });
    await untyped().createEntity({ ...keys, rowKey: 'old' });
    const client = await tableOf(account, defaults);
    const row = (await client.get({ ...keys, rowKey: 'old' }))!;
    row.at.setUTCFullYear(1999);
    row.bytes[0] = 9;
    const { value } = (await defaults.validate(keys)) as { value: typeof row };
    value.at.setUTCFullYear(1999);

    await client.insert(keys);
    const expected = { at: new Date('2020-01-01T00:00:00Z'), bytes: Uint8Array.of(1) };
    expect(await untyped().getEntity('p', 'r')).toMatchObject(expected);
  });

  it('is not changed by another validator', async () => {
    const validate = vi.fn((row: unknown) => {
      Object.assign(row as object, { n: 'changed', rowKey: 'changed' });
      (row as { at: Date }).at.setUTCFullYear(1999);
      return { value: row };
    });
    const refine = { '~standard': { version: 1, vendor: 'test', validate } } as const;
    const refined = defineTable('Values', { ...KEYS, n: t.int32(), at: t.dateTime() }, { refine });
    const row = { ...keys, n: 1, at: new Date(0) };

    expect(refined.validate(row)).toEqual({ value: { ...keys, n: 1, at: new Date(0) } });
    await (await tableOf(account, refined)).insert(row);
    expect(validate).toHaveBeenCalledTimes(2);
    expect(await untyped().getEntity('p', 'r')).toMatchObject({ n: 1, at: new Date(0) });
  });
});

describe('a check', () => {
  it('cannot change the row', async () => {
    const changing = defineTable('Values', {
      ...KEYS,
      at: t.dateTime().refine((at) => at.setUTCFullYear(1999) > 0, 'is wrong'),
      bytes: t.binary().refine((bytes) => bytes.fill(9).length > 0, 'is wrong'),
    });
    const row = { ...keys, at: new Date(0), bytes: Uint8Array.of(1) };

    expect(changing.validate(row)).toEqual({
      value: { ...keys, at: new Date(0), bytes: Uint8Array.of(1) },
    });
    await (await tableOf(account, changing)).insert(row);
    const stored = { at: new Date(0), bytes: Uint8Array.of(1) };
    expect(await untyped().getEntity('p', 'r')).toMatchObject(stored);
  });
});

describe('a time with parts of a millisecond', () => {
  const times = defineTable('Values', { ...KEYS, at: t.dateTime(), n: t.int32().optional() });
  const storedTime = async () =>
    (await untyped().getEntity('p', 'r', { disableTypeConversion: true })).at;

  it('is read and written back as it is', async () => {
    await untyped().createEntity({ ...keys, at: fineTime });
    const client = await tableOf(account, times);
    const row = (await client.get(keys))!;
    expect(row.at).toEqual(fineTime);

    await client.put({ ...row, n: 1 });
    expect(await storedTime()).toEqual(fineTime);
    const checked = await times.validate(await untyped().getEntity('p', 'r'));
    expect(checked).toMatchObject({ value: { at: fineTime } });
  });

  it('is kept by a merge that upgrades the row', async () => {
    const upgrade = { 1: (row: object) => row };
    const versioned = defineTable('Values', times.properties, { version: 2, upgrade });
    await untyped().createEntity({ ...keys, at: fineTime });

    await (await tableOf(account, versioned)).update(keys, { n: 1 });
    expect(await storedTime()).toEqual(fineTime);
  });

  it('is checked as the millisecond before', async () => {
    const seen: unknown[] = [];
    const check = (at: Date) => seen.push(at) > 0;
    const checked = defineTable('Values', { ...KEYS, at: t.dateTime().refine(check, 'no') });

    await (await tableOf(account, checked)).insert({ ...keys, at: fineTime as never });
    expect(seen).toEqual([new Date('2024-05-01T00:00:00.123Z')]);
    expect(await storedTime()).toEqual(fineTime);
  });

  it('is not made of a stored text', async () => {
    await untyped().createEntity({ ...keys, at: FINE });
    const client = await tableOf(account, times);
    const row = (await client.get(keys))!;

    expect(row.at).toBe(FINE);
    const write = client.put(row);
    expect((await tableError(write)).issues).toMatchObject([{ rule: 'schema-type' }]);
  });
});
