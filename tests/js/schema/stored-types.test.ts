// The types in which rows are stored and read.

import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';

import type { TableOf, TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { pets } from './pets.js';

const born = new Date('2020-01-01T00:00:00Z');
const ada = {
  ...{ partitionKey: 'dogs', rowKey: 'ada', name: 'Ada', kind: 'dog' as const },
  ...{ weight: 12, born },
};
const keys = { partitionKey: 'dogs', rowKey: 'ada' };

let account: TableServiceClient;
let table: TableOf<typeof pets>;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  table = await tableOf(account, pets);
  await account.ready;
});

const stored = (rowKey = 'ada') =>
  account.tableClient('Pets').getEntity('dogs', rowKey, { typed: true });

describe('a row', () => {
  it('is stored in the declared types, and read in them', async () => {
    const guid = 'a455c695-df98-5678-aaaa-81d3367e5a34';
    await table.insert({ ...ada, age: 3, chip: 5n, tag: guid, photo: Uint8Array.of(1) });

    expect(await stored()).toMatchObject({
      weight: { type: 'Double', value: 12 },
      age: { type: 'Int32', value: 3 },
      chip: { type: 'Int64', value: 5n },
      tag: { type: 'Guid', value: guid },
      vaccinated: { type: 'Boolean', value: false },
    });
    const row = (await table.get(keys))!;
    expect(row).toMatchObject({ ...ada, vaccinated: false, age: 3, chip: 5n, tag: guid });
    expectTypeOf(row.chip).toEqualTypeOf<bigint | undefined>();
    expectTypeOf(row.vaccinated).toEqualTypeOf<boolean>();
    // What was read can be written.
    await table.put(row);
    await table.update(row, { weight: 13 });
    expect((await stored()).weight).toEqual({ type: 'Double', value: 13 });
    await table.insertMany([{ ...ada, rowKey: 'zoe' }]);
    expect((await stored('zoe')).weight).toEqual({ type: 'Double', value: 12 });
  });

  it('has a stored number if its type holds it exactly, and else the stored value', async () => {
    const numbers = defineTable('Pets', {
      partitionKey: t.string(),
      rowKey: t.string(),
      small: t.int32().optional(),
      big: t.int64().optional(),
      real: t.double().optional(),
      text: t.string().optional(),
      at: t.dateTime().optional(),
    });
    const untyped = account.tableClient('Pets');
    const pairs: [stored: object, read: object][] = [
      [{ big: 5 }, { big: 5n }],
      [{ big: { type: 'Double', value: 2 ** 62 } }, { big: 2n ** 62n }],
      [{ big: { type: 'Double', value: 2 ** 63 } }, { big: 2 ** 63 }],
      [{ big: 2.5 }, { big: 2.5 }],
      [{ big: Infinity }, { big: Infinity }],
      [{ big: NaN }, { big: NaN }],
      [{ big: 'five' }, { big: 'five' }],
      [
        { small: 5n, real: 5n },
        { small: 5, real: 5 },
      ],
      [
        { small: 2n ** 31n, real: 2n ** 53n + 1n },
        { small: 2n ** 31n, real: 2n ** 53n + 1n },
      ],
      [
        { small: 2.5, text: 5n, at: 5n },
        { small: 2.5, text: 5n, at: 5n },
      ],
    ];
    const typed = await tableOf(account, numbers);
    for (const [at, [given, read]] of pairs.entries()) {
      const key = { partitionKey: 'n', rowKey: `${at}` };
      await untyped.createEntity({ ...key, ...given });
      const { etag: _, timestamp: __, ...row } = (await typed.get(key))!;
      expect(row).toStrictEqual({ ...key, ...read });
    }
    expect(await typed.list()).toHaveLength(pairs.length);
  });

  it('keeps what a change does not name, and is not inserted by a part', async () => {
    await table.insert(ada);
    await table.update(keys, { age: 4 });

    expect(await table.get(keys)).toMatchObject({ ...ada, age: 4 });
    const part = { partitionKey: 'dogs', rowKey: 'new', age: 4 };
    expect(await errorCode(table.upsert(part))).toBe('SchemaViolation');
  });

  it('has the selected properties, its key and its etag', async () => {
    await table.insert(ada);

    const row = (await table.get(keys, { select: ['name', 'age'] }))!;
    expectTypeOf(row).toExtend<{ name: string; age?: number; etag: string }>();
    // @ts-expect-error: it is not selected.
    expect(row.weight).toBeUndefined();
    expect(row).toEqual({ ...keys, etag: expect.any(String), name: 'Ada' });
  });

  it('is followed in the selected properties, with no null for what is missing', async () => {
    await table.insert({ ...ada, age: 3 });
    const live = table.live({ select: ['name', 'age', 'vaccinated'] });
    const seen: unknown[] = [];

    for await (const rows of live) {
      expectTypeOf(rows[0]!.age).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: it is not selected.
      expect(rows[0]!.weight).toBeUndefined();
      seen.push(rows.map(({ etag: _, ...row }) => row));
      if (seen.length === 2) break;
      await table.put({ ...ada, name: 'Grace' });
    }

    expect(seen).toMatchObject([
      [{ ...keys, name: 'Ada', age: 3, vaccinated: false }],
      [{ ...keys, name: 'Grace', vaccinated: false }],
    ]);
    expect(seen[1]).not.toHaveProperty([0, 'age']);
  });

  it('is checked by patterns and functions before it is written', async () => {
    const codes = defineTable('Codes', {
      partitionKey: t.string(),
      rowKey: t.string(),
      code: t
        .string({ pattern: /^[a-z]+$/ })
        .refine(async (code) => code !== 'bad', 'is bad')
        .optional(),
    });
    const client = await tableOf(account, codes);

    const refused = await tableError(client.insert({ ...keys, code: 'A' }));
    expect(refused.issues).toMatchObject([{ rule: 'schema-pattern', path: ['code'] }]);
    const slow = await tableError(client.upsert({ ...keys, code: 'bad' }));
    expect(slow.issues).toMatchObject([{ rule: 'schema-refine', path: ['code'] }]);
    expect(await client.count()).toBe(0);
    await client.insert({ ...keys, code: 'good' });
  });
});
