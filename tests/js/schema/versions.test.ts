import { beforeEach, describe, expect, it } from 'vitest';

import type { TableOf } from '../../../js/src/index.js';
import { defineTable } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, tableOf } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { KEYS, keys, people } from './people.js';

const open = async () => {
  const opened = await openForTest({ storage: memoryStorage(), tables: { people } });
  await opened.ready;
  return opened;
};
let account: Awaited<ReturnType<typeof open>>;
let table: TableOf<typeof people>;

beforeEach(async () => {
  account = await open();
  table = account.tables.people;
});

const untyped = () => account.tableClient('People');
const whole = { ...keys, first: 'Ada', last: 'King', age: 36 };
const toKing = { last: 'King' };

describe('rows of older versions', () => {
  it('are upgraded when they are read', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    await untyped().createEntity({
      ...keys,
      rowKey: 's',
      fullName: 'A B',
      age: 1,
      schemaVersion: 2,
    });

    const row = (await table.get(keys))!;
    expect(row).toMatchObject({ ...keys, first: 'Ada', last: 'Lovelace', age: 36 });
    expect(row).not.toHaveProperty('name');
    expect(row).not.toHaveProperty('schemaVersion');
    expect(await table.get({ ...keys, rowKey: 's' })).toMatchObject({ first: 'A', last: 'B' });
    expect(await table.get(keys, { select: ['last'] })).toEqual({
      ...keys,
      etag: row.etag,
      last: 'Lovelace',
    });
  });

  it('are upgraded in live results, which may select', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    const seen: unknown[] = [];

    for await (const [row] of table.live({ select: ['last'] })) {
      const { etag: _, ...rest } = row!;
      seen.push(rest);
      if (seen.length === 2) break;
      await untyped().updateEntity({ ...keys, name: 'Ada King' });
    }
    expect(seen).toMatchObject([
      { ...keys, last: 'Lovelace' },
      { ...keys, last: 'King' },
    ]);
    expect(seen[0]).not.toHaveProperty('first');
  });

  it('are stored in the new form by a write, with all their properties', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    await untyped().createEntity({ ...keys, rowKey: 's', name: 'Ada Byron', age: 3 });

    await table.update(keys, toKing);
    await account.transaction((tx) => tx.people.upsert({ ...keys, rowKey: 's', ...toKing }));

    for (const rowKey of ['r', 's']) {
      const stored = await untyped().getEntity('p', rowKey);
      expect(stored).toMatchObject({ first: 'Ada', last: 'King', schemaVersion: 3 });
      expect(stored).not.toHaveProperty('name');
    }
  });

  it('keep their etag as a condition', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    const ifUnchanged = (await table.get(keys))!;
    await untyped().updateEntity({ ...keys, age: 37 });

    const update = table.update(keys, toKing, { ifUnchanged });
    expect(await errorCode(update)).toBe('UpdateConditionNotSatisfied');
  });

  it('are refused if they are of a newer version', async () => {
    await untyped().createEntity({ ...keys, schemaVersion: 4 });

    const error = await tableError(table.get(keys));
    expect(error.code).toBe('SchemaVersionTooNew');
    expect(error.message).toContain('It has the schemaVersion 4; this app knows 3.');
  });

  it.each([0, -1, 1.5, NaN, Infinity, -Infinity, '2', true, new Date(0), 0n])(
    'are refused with their keys if their version is %s',
    async (schemaVersion) => {
      await untyped().createEntity({ ...keys, name: 'Ada King', age: 36, schemaVersion });

      const calls = [
        () => table.get(keys),
        () => table.list(),
        () => collect(table.live()),
        () => table.update(keys, { age: 37 }),
        () => table.put(whole),
        () => account.transaction((tx) => tx.people.put(whole)),
      ];
      for (const call of calls) {
        const error = await tableError(call());
        expect({ code: error.code, ...error.details }).toMatchObject({
          code: 'SchemaViolation',
          ...keys,
        });
        expect(error.message).toContain('which is not a whole number from 1.');
        expect(error.issues).toMatchObject([{ path: ['schemaVersion'] }]);
      }
      expect(await untyped().getEntity('p', 'r')).toMatchObject({ name: 'Ada King', age: 36 });
      await table.delete(keys);
    },
  );

  it.each(['Double', 'Int64'])('may have a version that is stored as %s', async (type) => {
    const version = (value: number) => ({ type, value: type === 'Int64' ? `${value}` : value });
    const writes = [
      () => table.update(keys, toKing),
      () => table.upsert(whole),
      () => table.put(whole),
      () => account.transaction((tx) => tx.people.put(whole)),
      () => table.import([whole], { mode: 'Replace' }),
      () => table.put({ ...whole, schemaVersion: 3 } as never),
    ];
    for (const write of writes) {
      for (const stored of [2, 3]) {
        const name = { 2: { fullName: 'Ada Byron' }, 3: { first: 'Ada', last: 'Byron' } }[stored];
        const old = { ...keys, ...name, age: { type: 'Double', value: 36 } };
        await untyped().upsertEntity({ ...old, schemaVersion: version(stored) }, 'Replace');
        expect(await table.get(keys)).toMatchObject({ last: 'Byron' });

        await write();
        expect(await untyped().getEntity('p', 'r', { typed: true })).toMatchObject({
          schemaVersion: { type: 'Int32', value: 3 },
          last: { value: 'King' },
        });
      }
    }
    await untyped().upsertEntity({ ...keys, schemaVersion: version(4) }, 'Replace');
    expect(await errorCode(table.get(keys))).toBe('SchemaVersionTooNew');
    const older = { ...whole, rowKey: 'q' };
    const error = await tableError(table.import([older, whole], { mode: 'Replace' }));
    expect(error).toMatchObject({
      code: 'SchemaVersionTooNew',
      details: { entityIndex: 1, stored: 1, ...keys },
    });
  });

  it('keep their keys, whatever an upgrade does', async () => {
    const moving = defineTable('People', KEYS, {
      version: 2,
      upgrade: { 1: () => ({ rowKey: 'another', last: 'King' }) },
    });
    await untyped().createEntity({ ...keys, name: 'Ada' });

    const row = await (await tableOf(account, moving)).get(keys);
    expect(row).toMatchObject({ ...keys, last: 'King' });
    expect(row).not.toHaveProperty('name');
  });

  it('need no upgrade after a write of this version', async () => {
    const { etag: _, timestamp: __, ...row } = await table.insert(whole);
    expect(row).toEqual(whole);
    await table.update(keys, { last: 'Byron' });

    expect(await untyped().getEntity('p', 'r')).toMatchObject({ last: 'Byron', schemaVersion: 3 });
  });

  it('are never replaced if they are of a newer version', async () => {
    await untyped().createEntity({ ...keys, schemaVersion: 4 });
    const ifUnchanged = await untyped().getEntity('p', 'r');

    const writes = [
      () => table.put(whole),
      () => table.put(whole, { ifUnchanged }),
      () => table.update(keys, toKing),
      () => table.upsert(whole),
      () => account.transaction((tx) => tx.people.put(whole)),
      () => account.transaction((tx) => tx.people.put(whole, { ifUnchanged })),
    ];
    for (const write of writes) {
      const { code, details } = await tableError(write());
      expect({ code, ...details }).toMatchObject({ code: 'SchemaVersionTooNew', ...keys });
    }
    expect((await untyped().getEntity('p', 'r')).schemaVersion).toBe(4);
  });

  it('are looked at again if somebody writes them meanwhile', async () => {
    const newer = () => untyped().upsertEntity({ ...keys, schemaVersion: 4 }, 'Replace');
    for (const write of [
      () => table.put(whole),
      () => account.transaction((tx) => tx.people.put(whole)),
    ]) {
      // Its read comes first, and the other write before its own.
      const [code] = await Promise.all([errorCode(write()), newer()]);
      expect(code).toBe('SchemaVersionTooNew');
      await untyped().deleteEntity('p', 'r');
    }
  });

  it('are merged into again if somebody writes or deletes them meanwhile', async () => {
    const older = { ...keys, name: 'Ada Byron', age: 36.5 };
    const upserts = [
      () => table.upsert(whole),
      () => account.transaction((tx) => tx.people.upsert(whole)),
    ];
    const updates = [
      () => table.update(keys, toKing),
      () => account.transaction((tx) => tx.people.update(keys, toKing)),
    ];
    for (const write of [...upserts, ...updates]) {
      await untyped().upsertEntity(older, 'Replace');
      // Its read comes first, and the other write before its own.
      await Promise.all([write(), untyped().updateEntity({ ...keys, note: 'theirs' })]);
      const expected = { first: 'Ada', last: 'King', note: 'theirs', schemaVersion: 3 };
      expect(await untyped().getEntity('p', 'r')).toMatchObject(expected);
    }
    for (const write of upserts) {
      await untyped().upsertEntity(older, 'Replace');
      await Promise.all([write(), untyped().deleteEntity('p', 'r')]);
      expect(await table.get(keys)).toMatchObject(whole);
    }
    for (const write of updates) {
      await untyped().upsertEntity(older, 'Replace');
      const [code] = await Promise.all([errorCode(write()), untyped().deleteEntity('p', 'r')]);
      expect(code).toBe('ResourceNotFound');
    }
  });

  it('do not stop other writes', async () => {
    await table.put(whole);
    await table.put({ ...whole, last: 'Byron' });
    const missing = { partitionKey: 'p', rowKey: 'x' };
    const update = await tableError(table.update(missing, toKing));
    expect(update.code).toBe('ResourceNotFound');
    expect(update.details).toMatchObject({ rowKey: 'x' });

    const s = { ...keys, rowKey: 's' };
    await account.transaction(async ({ people: within }) => {
      await within.put({ ...whole, ...s });
      await within.update(s, { age: 37 });
      await within.put({ ...whole, ...s, last: 'Lovelace' });
      await within.delete(keys);
    });
    expect(await table.list()).toMatchObject([{ ...s, last: 'Lovelace', age: 36 }]);
  });
});

describe('the version of a row', () => {
  const line = (version: string) =>
    new TextEncoder().encode(
      `{"PartitionKey":"p","RowKey":"r","first":"Ada","last":"King","age":36.5${version}}`,
    );

  it('is needed in bytes that are imported', async () => {
    for (const version of ['', ',"schemaVersion":2', ',"schemaVersion":"3"']) {
      const error = await tableError(table.import(line(version)));
      expect(error.code).toBe('SchemaViolation');
      expect(error.issues).toMatchObject([{ path: ['schemaVersion'] }]);
      expect(error.details).toMatchObject({ entityIndex: 0, stored: 0, ...keys });
    }
    await table.import(line(',"schemaVersion":3'));
    expect(await table.get(keys)).toMatchObject({ first: 'Ada', last: 'King' });
  });

  it('is needed in every write, if the definition is enforced', async () => {
    await account.enforce(people);
    const row = { ...keys, first: 'Ada', last: 'King', age: 36.5 };

    const error = await tableError(untyped().createEntity(row));
    expect(error.issues).toMatchObject([{ rule: 'schema-required', path: ['schemaVersion'] }]);
    await tableError(untyped().createEntity({ ...row, schemaVersion: 2 }));
    await untyped().createEntity({ ...row, schemaVersion: 3 });
    await untyped().updateEntity({ ...keys, age: 37.5 });
    await table.update(keys, { last: 'Byron' });
  });

  it('is filled in by writes of rows, and refused if it is another one', async () => {
    await table.insertMany([whole]);
    expect(await untyped().getEntity('p', 'r')).toMatchObject({ schemaVersion: 3 });

    const old = { ...whole, rowKey: 's', schemaVersion: 1 };
    const error = await tableError(table.insert(old as never));
    expect(error.issues).toMatchObject([{ rule: 'schema-enum', path: ['schemaVersion'] }]);
    const { value } = (await people.validate(whole)) as { value: unknown };
    expect(value).toEqual(whole);
  });
});
