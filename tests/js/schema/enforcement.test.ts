// What is enforced, and the stored entities that break it.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { TableClient, TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { pets } from './pets.js';

const ada = {
  ...{ partitionKey: 'dogs', rowKey: 'ada', name: 'Ada', kind: 'dog', weight: 12.5 },
  ...{ vaccinated: true, born: new Date('2020-01-01T00:00:00Z') },
};

let account: TableServiceClient;
let untyped: TableClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  untyped = account.tableClient('Pets');
  await untyped.createTable();
});

describe('an enforced definition', () => {
  it('holds other writers', async () => {
    await account.enforce(pets);

    const error = await tableError(untyped.createEntity({ ...ada, age: 41 }));
    expect(error.code).toBe('SchemaViolation');
    expect((await untyped.explain()).enforced).toBe(true);
    await account.stopEnforcing('Pets');
    expect(await account.enforcedSchema('Pets')).toBeUndefined();
    await untyped.createEntity({ ...ada, age: 41 });
  });

  it('can be read, with the types and constraints of all properties', async () => {
    await account.enforce(pets);

    const required = { required: true };
    expect(await account.enforcedSchema('Pets')).toEqual({
      unknownProperties: 'keep',
      properties: {
        partitionKey: { type: 'String', ...required, maxLength: 40 },
        rowKey: { type: 'String', ...required },
        name: { type: 'String', ...required, minLength: 1, maxLength: 80 },
        kind: { type: 'String', ...required, enum: ['dog', 'cat'] },
        age: { type: 'Int32', required: false, minimum: 0, maximum: 40 },
        chip: { type: 'Int64', required: false },
        weight: { type: 'Double', ...required, finite: true, exclusiveMinimum: 0 },
        // A write of a row fills it in.
        vaccinated: { type: 'Boolean', required: false },
        born: { type: 'DateTime', ...required },
        photo: { type: 'Binary', required: false, maxBytes: 65536 },
        tag: { type: 'Guid', required: false },
      },
    });
  });

  it('holds other writers to the values of a field that is a whole key', async () => {
    const enums = { kind: t.string({ enum: ['cat', 'a/b'] }), size: t.int32({ enum: [1, 2] }) };
    const options = { key: ['kind', 'size'], enforce: true } as const;
    const pets = defineTable('Pets', { ...enums, name: t.string() }, options);
    const opened = await account.openTables({ pets });
    await account.ready;

    await opened.pets.insert({ kind: 'a/b', size: 2, name: 'Ada' });
    const [inserted] = await collect(untyped.listEntities());
    const { partitionKey, rowKey } = inserted!;
    const wrong = { partitionKey: 'dog', rowKey: '3', name: 'Bo' };
    const { code, issues } = await tableError(untyped.createEntity(wrong));
    expect(code).toBe('SchemaViolation');
    expect(issues.map(({ path }) => String(path))).toEqual(['partitionKey', 'rowKey']);
    await untyped.createEntity({ ...wrong, partitionKey: 'cat', rowKey });
    await untyped.upsertEntity({ ...wrong, partitionKey, rowKey }, 'Replace');
  });

  it('is the newest one, also if another account has just changed it', async () => {
    const storage = memoryStorage();
    const [mine, theirs] = [await openForTest({ storage }), await openForTest({ storage })];
    const keys = { partitionKey: t.string(), rowKey: t.string() };
    await theirs.createTable('Pets');
    expect(await mine.enforcedSchema('Pets')).toBeUndefined();

    await theirs.enforce(defineTable('Pets', { ...keys, age: t.int32() }));
    expect((await mine.enforcedSchema('Pets'))!.properties).toHaveProperty('age');
    await theirs.stopEnforcing('Pets');
    expect((await mine.tableClient('Pets').explain({ fresh: true })).enforced).toBe(false);
    await theirs.enforce(defineTable('Pets', { ...keys, name: t.string() }));
    const { schema } = await mine.tableClient('Pets').explain({ fresh: true });
    expect(schema!.properties).toHaveProperty('name');
    expect(await mine.enforcedSchema('Pets')).toEqual(schema);
  });

  it('is explained with its version', async () => {
    const keys = { partitionKey: t.string(), rowKey: t.string() };
    const upgrade = { 1: (row: object) => row };
    const versioned = defineTable('Pets', keys, { version: 2, upgrade });
    expect(await untyped.explain()).not.toHaveProperty('schema');
    await account.enforce(versioned);

    const table = await tableOf(account, versioned);
    expect(await table.explain()).toMatchObject({ count: 0, enforced: true });
    const plan = await untyped.explain();
    expect(plan).toMatchObject({ count: 0, enforced: true });
    expect(plan.schema).toEqual(await account.enforcedSchema('Pets'));
    expect(plan.schema!.properties['schemaVersion']).toEqual({
      ...{ type: 'Int32', required: true, enum: [2] },
    });
    await account.stopEnforcing('Pets');
    expect(await untyped.explain()).not.toHaveProperty('schema');
  });

  it('has every operand without loss', async () => {
    const rules = {
      $etag: t.int64({ minimum: -(2n ** 63n), multipleOf: 2n ** 62n, enum: [-(2n ** 62n), 0n] }),
      double: t.double({ exclusiveMaximum: 0.1, enum: [5e-324, -Infinity] }),
      int: t.int32({ exclusiveMinimum: -(2 ** 31), multipleOf: 3 }),
      date: t.dateTime({ minimum: new Date(5) }),
      text: t.string({ maxLength: 32768, enum: ['é', '', '\ufeffmark'] }),
      guid: t.guid({ enum: ['c9da6455-213d-42c9-9a79-3e9149a57833'] }),
    };
    const time = '2020-01-01T00:00:00.0000001Z';
    const definition = defineTable(
      'Pets',
      {
        ...{ partitionKey: t.string(), rowKey: t.string(), ...rules },
        precise: t.dateTime({ precise: true, maximum: time }),
      },
      { unknownProperties: 'reject' },
    );
    await account.enforce(definition);

    const { unknownProperties, properties } = (await account.enforcedSchema('Pets'))!;
    expect(unknownProperties).toBe('reject');
    for (const [name, { rules: given }] of Object.entries(rules)) {
      const { type, constraints } = given;
      expect(properties[name]).toEqual({ type, required: true, ...constraints });
    }
    expect(properties['precise']).toEqual({ type: 'DateTime', required: true, maximum: time });
  });

  it('of a newer version is refused', async () => {
    vi.spyOn(account.session, 'request').mockImplementationOnce((_operation, _signal, read) => {
      read!(Uint8Array.of(3, 0));
      return Promise.resolve({ status: 200, parts: [] });
    });

    const error = await tableError(account.enforcedSchema('Pets'));
    expect(error.code).toBe('StorageVersionNewer');
  });
});

describe('entities that break a definition', () => {
  const issuesOf = async (filter?: string) =>
    (await collect(account.listIssues(pets, { filter }))).map(
      ({ rowKey, issues }) =>
        `${rowKey}: ${issues.map(({ rule, path }) => `${rule} ${String(path)}`).join()}`,
    );

  const fill = async () => {
    await untyped.createEntity(ada);
    await untyped.createEntity({ ...ada, rowKey: 'bob', name: '', age: 1.5 });
    await untyped.createEntity({ ...ada, rowKey: 'cat', weight: 12 });
    const { born: _, ...unborn } = ada;
    await untyped.createEntity({ ...unborn, rowKey: 'dan' });
  };
  // A whole number that an untyped client wrote is an Int32.
  const BROKEN = [
    'bob: schema-min-length name,schema-type age',
    'cat: schema-type weight',
    'dan: schema-required born',
  ];

  it('are listed before the definition is enforced, and after that', async () => {
    await fill();

    expect(await issuesOf()).toEqual(BROKEN);
    await account.enforce(pets);
    expect(await issuesOf()).toEqual(BROKEN);
    expect(await issuesOf("RowKey gt 'c'")).toEqual(BROKEN.slice(1));
  });

  it('are what writes of the same entities are refused for', async () => {
    await fill();
    await account.enforce(pets);

    for await (const { partitionKey, rowKey, etag, issues } of account.listIssues(pets)) {
      const stored = await untyped.getEntity(partitionKey, rowKey, { typed: true });
      expect(etag).toBe(stored.etag);
      const error = await tableError(untyped.updateEntity(stored, 'Replace'));
      // The store does not say what it expects.
      expect(issues).toMatchObject(error.issues);
    }
  });

  it('are also those that break what only the app checks', async () => {
    const runs = defineTable(
      'Runs',
      {
        user: t.string(),
        year: t.int32(),
        id: t.string({ pattern: /^[a-z]+$/ }),
        from: t.double(),
        until: t.double().refine((until) => until < 100, 'A run ends before 100.'),
        laps: t.int32().default(1),
      },
      {
        key: { partition: ['user', 'year'], row: ['id'] },
        refine: async ({ from, until, laps }) => {
          if (from < 0) throw new Error('no such run');
          const isRight = (await Promise.resolve(until)) >= from + laps;
          return isRight ? [] : [{ message: 'A run ends after it begins.', path: ['until'] }];
        },
      },
    );
    const table = await tableOf(account, runs);
    await table.insert({ user: 'ann', year: 2024, id: 'a', from: 1.5, until: 9.5 });
    const other = account.tableClient('Runs');
    const [{ partitionKey } = { partitionKey: '' }] = await collect(other.listEntities());
    const run = { partitionKey, rowKey: 'a', from: 1.5, until: 9.5 };
    const broken = { type: 'Double', value: 200 } as const;
    await other.importEntities([
      { ...run, rowKey: 'b', from: 8.75 },
      { ...run, rowKey: 'c1' },
      { ...run, rowKey: 'd', until: broken },
      { ...run, rowKey: 'f', from: -0.5 },
      // Then the table's refine does not run.
      { ...run, rowKey: 'g', from: 9.75, until: 'late' },
      { ...run, partitionKey: 'ann', rowKey: 'h' },
    ]);
    await account.enforce(runs);

    const listed = (await collect(account.listIssues(runs))).map(
      ({ rowKey, issues }) =>
        `${rowKey}: ${issues.map(({ rule, message }) => `${rule} ${message}`).join()}`,
    );

    expect(listed).toEqual([
      'h: schema-refine One of the request inputs is not valid. A row has the PartitionKey "ann", which is not made of user, year. Another program has stored it, or this one when its table had another key. A key cannot change: declare a table with another name, and move the rows there.',
      'b: schema-refine A run ends after it begins.',
      'c1: schema-pattern Property "id" holds "c1", which does not fit /^[a-z]+$/.',
      'd: schema-refine A run ends before 100.',
      'f: schema-refine The refine of the table has failed. Error: no such run',
      'g: schema-type Property "until" is of type String; the schema requires Double.',
    ]);
  });

  it('are found in more than one page, and stay as they are', async () => {
    const entities = Array.from({ length: 2500 }, (_, at) => ({
      ...{ ...ada, rowKey: `${at}`.padStart(4, '0'), age: at % 500 === 0 ? 41 : 4 },
    }));
    await untyped.importEntities(entities);
    const before = await collect(untyped.listEntities());

    const found = await issuesOf();

    expect(found).toEqual(
      ['0000', '0500', '1000', '1500', '2000'].map((rowKey) => `${rowKey}: schema-maximum age`),
    );
    expect(await collect(untyped.listEntities())).toEqual(before);
  });

  it('are not looked for after the signal has fired, nor without a table', async () => {
    await fill();
    const stop = new AbortController();
    const listed = account.listIssues(pets, { abortSignal: stop.signal });
    stop.abort();

    await expect(listed.next()).rejects.toMatchObject({ name: 'AbortError' });
    await account.deleteTable('Pets');
    expect((await tableError(issuesOf())).code).toBe('TableNotFound');
    expect(() => account.listIssues({} as never)).toThrow('defineTable()');
  });
});
