import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';

import { TableTransaction, type TableServiceClient } from '../../../js/src/index.js';
import {
  defineTable,
  t,
  type Infer,
  type InferInput,
  type TypedTable,
} from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { pets } from './pets.js';

const born = new Date('2020-01-01T00:00:00Z');
const ada = {
  ...{ partitionKey: 'dogs', rowKey: 'ada', name: 'Ada', kind: 'dog' as const },
  ...{ weight: 12, born },
};

let account: TableServiceClient;
let table: TypedTable<Infer<typeof pets>, InferInput<typeof pets>>;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  table = account.table(pets);
  await table.createTable();
});

const stored = (rowKey = 'ada') =>
  account.tableClient('Pets').getEntity('dogs', rowKey, { typed: true });

describe('a typed client', () => {
  it('writes every property with its declared type, and reads it back', async () => {
    const guid = 'a455c695-df98-5678-aaaa-81d3367e5a34';
    await table.createEntity({ ...ada, age: 3, chip: 5n, tag: guid, photo: Uint8Array.of(1) });

    expect(await stored()).toMatchObject({
      weight: { type: 'Double', value: 12 },
      age: { type: 'Int32', value: 3 },
      chip: { type: 'Int64', value: 5n },
      tag: { type: 'Guid', value: guid },
      vaccinated: { type: 'Boolean', value: false },
    });
    const row = await table.getEntity('dogs', 'ada');
    expect(row).toMatchObject({ ...ada, vaccinated: false, age: 3, chip: 5n, tag: guid });
    expectTypeOf(row.chip).toEqualTypeOf<bigint | undefined>();
    expectTypeOf(row.vaccinated).toEqualTypeOf<boolean>();
    // What was read can be written.
    await table.updateEntity(row, 'Replace');
    await table.updateEntity({ ...row, weight: 13 });
    expect((await stored()).weight).toEqual({ type: 'Double', value: 13 });
  });

  it('converts a stored number if its type holds it exactly, and else gives it as it is', async () => {
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
    const typed = account.table(numbers);
    for (const [at, [given, read]] of pairs.entries()) {
      await untyped.createEntity({ partitionKey: 'n', rowKey: `${at}`, ...given });
      const { etag: _, timestamp: __, ...row } = await typed.getEntity('n', `${at}`);
      expect(row).toStrictEqual({ partitionKey: 'n', rowKey: `${at}`, ...read });
    }
    expect(await collect(typed.listEntities())).toHaveLength(pairs.length);
  });

  it('refuses a row that breaks the definition, with everything that is wrong', async () => {
    const error = await tableError(table.createEntity({ ...ada, name: '', age: 41 }));

    expect(error.code).toBe('SchemaViolation');
    expect(error.violations.map(({ rule, path }) => `${rule} ${path}`)).toEqual([
      'schema-min-length name',
      'schema-maximum age',
    ]);
    expect(error.details).toMatchObject({ table: 'Pets', rowKey: 'ada' });
  });

  it('checks the result of a merge, which may have only some of the properties', async () => {
    await table.createEntity(ada);
    await table.updateEntity({ partitionKey: 'dogs', rowKey: 'ada', age: 4 });

    expect(await table.getEntity('dogs', 'ada')).toMatchObject({ ...ada, age: 4 });
    const part = { partitionKey: 'dogs', rowKey: 'new', age: 4 };
    expect((await tableError(table.upsertEntity(part))).code).toBe('SchemaViolation');
  });

  it('reads only what is selected', async () => {
    await table.createEntity(ada);

    const row = await table.getEntity('dogs', 'ada', { select: ['name', 'age'] });
    expectTypeOf(row).toExtend<{ name: string; age?: number; etag: string }>();
    // @ts-expect-error: it is not selected.
    expect(row.weight).toBeUndefined();
    expect(row).toEqual({ etag: expect.any(String), name: 'Ada' });
    const pages = [];
    for await (const one of table.listEntities({ select: ['rowKey'] })) pages.push(one.rowKey);
    expect(pages).toEqual(['ada']);
    // @ts-expect-error: there is no such property.
    const misspelt = table.getEntity('dogs', 'ada', { select: ['nmae'] });
    expect((await tableError(misspelt)).code).toBe('InvalidInput');
  });

  it('writes transactions and imports in the declared types', async () => {
    await table.submitTransaction([
      ['create', ada],
      ['upsert', { ...ada, rowKey: 'rex' }, 'Replace'],
    ]);
    await table.importEntities([{ ...ada, rowKey: 'zoe' }]);

    for (const rowKey of ['ada', 'rex', 'zoe']) {
      expect((await stored(rowKey)).weight).toEqual({ type: 'Double', value: 12 });
    }
    const error = await tableError(
      table.submitTransaction([
        ['delete', ada],
        ['create', { ...ada, rowKey: 'x', kind: 'bird' as never }],
      ]),
    );
    expect(error.details).toMatchObject({ operationIndex: 1, rowKey: 'x' });
    const bad = { ...ada, rowKey: 'y', name: '' };
    const stopped = await tableError(table.importEntities([{ ...ada, rowKey: 'x' }, bad]));
    expect(stopped.details).toMatchObject({ entityIndex: 1, stored: 1, rowKey: 'y' });
  });

  it('takes a transaction that was collected', async () => {
    type Written = InferInput<typeof pets>;
    await table.createEntity({ ...ada, rowKey: 'old' });
    const transaction = new TableTransaction<Written>();
    transaction.createEntity(ada);
    transaction.upsertEntity({ ...ada, rowKey: 'rex', age: 4 }, 'Replace');
    transaction.updateEntity({ partitionKey: 'dogs', rowKey: 'old', weight: 13 });
    await table.submitTransaction(transaction);

    expect((await stored()).vaccinated).toEqual({ type: 'Boolean', value: false });
    expect((await stored('rex')).weight).toEqual({ type: 'Double', value: 12 });
    expect((await stored('old')).weight).toEqual({ type: 'Double', value: 13 });
    const bad = new TableTransaction<Written>([
      ['delete', ada],
      ['upsert', { ...ada, rowKey: 'rex', age: 41 }, 'Replace'],
    ]);
    const error = await tableError(table.submitTransaction(bad));
    expect(error.details).toMatchObject({ operationIndex: 1, rowKey: 'rex' });
    expect(error.code).toBe('SchemaViolation');
    // @ts-expect-error: a row has a kind.
    transaction.createEntity({ ...ada, kind: undefined });
    const untyped = new TableTransaction();
    // @ts-expect-error: it has other rows.
    await table.submitTransaction(untyped).catch(() => undefined);
  });

  it('follows rows in their declared types', async () => {
    await table.createEntity(ada);
    const live = table.liveEntities({ filter: pets.where(({ weight }) => weight.gt(1)) });

    for await (const rows of live) {
      expect(rows).toMatchObject([{ weight: 12, vaccinated: false }]);
      break;
    }
  });

  it('follows only what is selected, with no null for what is missing', async () => {
    await table.createEntity({ ...ada, age: 3 });
    const live = table.liveEntities({ select: ['name', 'age', 'vaccinated'] });
    const seen: unknown[] = [];

    for await (const rows of live) {
      expectTypeOf(rows[0]!.age).toEqualTypeOf<number | undefined>();
      // @ts-expect-error: it is not selected.
      expect(rows[0]!.weight).toBeUndefined();
      seen.push(rows.map(({ etag: _, timestamp: __, ...row }) => row));
      if (seen.length === 2) break;
      await table.updateEntity({ ...ada, name: 'Grace' }, 'Replace');
    }

    const keys = { partitionKey: 'dogs', rowKey: 'ada' };
    expect(seen).toEqual([
      [{ ...keys, name: 'Ada', age: 3, vaccinated: false }],
      [{ ...keys, name: 'Grace', vaccinated: false }],
    ]);
    // @ts-expect-error: there is no such property.
    expect(() => table.liveEntities({ select: ['nmae'] })).not.toThrow();
  });

  it('runs patterns and checks before it writes', async () => {
    const codes = defineTable('Codes', {
      partitionKey: t.string(),
      rowKey: t.string(),
      code: t
        .string({ pattern: /^[a-z]+$/ })
        .refine(async (code) => code !== 'bad', 'is bad')
        .optional(),
    });
    const client = account.table(codes);
    await client.createTable();
    const row = { partitionKey: 'p', rowKey: 'r' };

    const refused = await tableError(client.createEntity({ ...row, code: 'A' }));
    expect(refused.violations).toMatchObject([{ rule: 'schema-pattern', path: 'code' }]);
    const slow = await tableError(client.upsertEntity({ ...row, code: 'bad' }));
    expect(slow.violations).toMatchObject([{ rule: 'schema-refine', path: 'code' }]);
    await client.createEntity({ ...row, code: 'good' });
  });
});
