import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { KEYS, keys, people } from './people.js';

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('People');
});

const untyped = () => account.tableClient('People');
const typed = () => account.table(people);

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

    const row = await typed().getEntity('p', 'r');
    expect(row).toMatchObject({ ...keys, first: 'Ada', last: 'Lovelace', age: 36 });
    expect(row).not.toHaveProperty('name');
    expect(row).not.toHaveProperty('schemaVersion');
    expect(await typed().getEntity('p', 's')).toMatchObject({ first: 'A', last: 'B' });
    expect(await typed().getEntity('p', 'r', { select: ['last'] })).toEqual({
      etag: row.etag,
      last: 'Lovelace',
    });
  });

  it('are upgraded in live results, which may select', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    const seen: unknown[] = [];

    for await (const [row] of typed().liveEntities({ select: ['last'] })) {
      const { etag: _, timestamp: __, ...rest } = row!;
      seen.push(rest);
      if (seen.length === 2) break;
      await untyped().updateEntity({ ...keys, name: 'Ada King' });
    }
    expect(seen).toEqual([
      { ...keys, last: 'Lovelace' },
      { ...keys, last: 'King' },
    ]);
  });

  it('are stored in the new form by a write, with all their properties', async () => {
    await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    await untyped().createEntity({ ...keys, rowKey: 's', name: 'Ada Byron', age: 3 });

    await typed().updateEntity({ ...keys, last: 'King' });
    await typed().submitTransaction([['upsert', { ...keys, rowKey: 's', last: 'King' }]]);

    for (const rowKey of ['r', 's']) {
      const stored = await untyped().getEntity('p', rowKey);
      expect(stored).toMatchObject({ first: 'Ada', last: 'King', schemaVersion: 3 });
      expect(stored).not.toHaveProperty('name');
    }
  });

  it('keep their etag as a condition', async () => {
    const { etag } = await untyped().createEntity({ ...keys, name: 'Ada Lovelace', age: 36 });
    await untyped().updateEntity({ ...keys, age: 37 });

    const update = typed().updateEntity({ ...keys, last: 'King' }, 'Merge', { etag });
    expect((await tableError(update)).code).toBe('UpdateConditionNotSatisfied');
  });

  it('are refused if they are of a newer version', async () => {
    await untyped().createEntity({ ...keys, schemaVersion: 4 });

    const error = await tableError(typed().getEntity('p', 'r'));
    expect(error.code).toBe('SchemaVersionTooNew');
    expect(error.message).toContain('It has the schemaVersion 4; this app knows 3.');
  });

  it.each([0, -1, 1.5, NaN, Infinity, -Infinity, '2', true, new Date(0), 0n])(
    'are refused with their keys if their version is %s',
    async (schemaVersion) => {
      await untyped().createEntity({ ...keys, name: 'Ada King', age: 36, schemaVersion });
      const row = { ...keys, first: 'Ada', last: 'King', age: 36 };

      const calls = [
        () => typed().getEntity('p', 'r'),
        () => collect(typed().listEntities()),
        () => collect(typed().liveEntities()),
        () => typed().updateEntity({ ...keys, age: 37 }),
        () => typed().upsertEntity(row, 'Replace'),
        () => typed().submitTransaction([['update', row, 'Replace']]),
      ];
      for (const call of calls) {
        const error = await tableError(call());
        expect({ code: error.code, ...error.details }).toMatchObject({
          code: 'SchemaViolation',
          ...keys,
        });
        expect(error.message).toContain('which is not a whole number from 1.');
        expect(error.violations).toMatchObject([{ path: 'schemaVersion' }]);
      }
      expect(await untyped().getEntity('p', 'r')).toMatchObject({ name: 'Ada King', age: 36 });
      await typed().deleteEntity('p', 'r');
    },
  );

  it.each(['Double', 'Int64'])('may have a version that is stored as %s', async (type) => {
    const version = (value: number) => ({ type, value: type === 'Int64' ? `${value}` : value });
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };
    const writes = [
      () => typed().updateEntity({ ...keys, last: 'King' }),
      () => typed().updateEntity(row, 'Replace'),
      () => typed().upsertEntity(row),
      () => typed().upsertEntity(row, 'Replace'),
      () => typed().submitTransaction([['upsert', row, 'Replace']]),
      () => typed().importEntities([row], { mode: 'Replace' }),
      () => typed().upsertEntity({ ...row, schemaVersion: 3 } as never, 'Replace'),
    ];
    for (const write of writes) {
      for (const stored of [2, 3]) {
        const name = { 2: { fullName: 'Ada Byron' }, 3: { first: 'Ada', last: 'Byron' } }[stored];
        const old = { ...keys, ...name, age: { type: 'Double', value: 36 } };
        await untyped().upsertEntity({ ...old, schemaVersion: version(stored) }, 'Replace');
        expect(await typed().getEntity('p', 'r')).toMatchObject({ last: 'Byron' });

        await write();
        expect(await untyped().getEntity('p', 'r', { typed: true })).toMatchObject({
          schemaVersion: { type: 'Int32', value: 3 },
          last: { value: 'King' },
        });
      }
    }
    await untyped().upsertEntity({ ...keys, schemaVersion: version(4) }, 'Replace');
    expect((await tableError(typed().getEntity('p', 'r'))).code).toBe('SchemaVersionTooNew');
    const older = { ...row, rowKey: 'q' };
    const error = await tableError(typed().importEntities([older, row], { mode: 'Replace' }));
    expect(error).toMatchObject({
      code: 'SchemaVersionTooNew',
      details: { entityIndex: 1, stored: 1, ...keys },
    });
  });

  it('keep their keys, whatever an upgrade does', async () => {
    const table = defineTable('People', KEYS, {
      version: 2,
      upgrade: { 1: () => ({ rowKey: 'another', last: 'King' }) },
    });
    await untyped().createEntity({ ...keys, name: 'Ada' });

    const row = await account.table(table).getEntity('p', 'r');
    expect(row).toMatchObject({ ...keys, last: 'King' });
    expect(row).not.toHaveProperty('name');
  });

  it('need no upgrade after a write of this version', async () => {
    await typed().createEntity({ ...keys, first: 'Ada', last: 'King', age: 36 });
    await typed().updateEntity({ ...keys, last: 'Byron' });

    expect(await untyped().getEntity('p', 'r')).toMatchObject({ last: 'Byron', schemaVersion: 3 });
  });

  it('are never replaced if they are of a newer version', async () => {
    await untyped().createEntity({ ...keys, schemaVersion: 4 });
    const { etag } = await untyped().getEntity('p', 'r');
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };

    const writes = [
      () => typed().updateEntity(row, 'Replace'),
      () => typed().updateEntity(row, 'Replace', { etag }),
      () => typed().upsertEntity(row, 'Replace'),
      () => typed().upsertEntity(row),
      () => typed().submitTransaction([['upsert', row, 'Replace']]),
      () => typed().submitTransaction([['update', row, 'Replace', { etag }]]),
      () => typed().submitTransaction([['upsert', row, 'Replace']], { split: true }),
    ];
    for (const write of writes) {
      const { code, details } = await tableError(write());
      expect({ code, ...details }).toMatchObject({ code: 'SchemaVersionTooNew', ...keys });
    }
    expect((await untyped().getEntity('p', 'r')).schemaVersion).toBe(4);
  });

  it('are looked at again if somebody writes them meanwhile', async () => {
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };
    const newer = async () => {
      await untyped().upsertEntity({ ...keys, schemaVersion: 4 }, 'Replace');
    };
    for (const write of [
      () => typed().upsertEntity(row, 'Replace'),
      () => typed().submitTransaction([['upsert', row, 'Replace']]),
    ]) {
      // Its read comes first, and the other write before its own.
      const [error] = await Promise.all([tableError(write()), newer()]);
      expect(error.code).toBe('SchemaVersionTooNew');
      await untyped().deleteEntity('p', 'r');
    }
  });

  it('are merged into again if somebody writes or deletes them meanwhile', async () => {
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };
    const older = { ...keys, name: 'Ada Byron', age: 36.5 };
    const upserts = [
      () => typed().upsertEntity(row),
      () => typed().submitTransaction([['upsert', row]]),
    ];
    const updates = [
      () => typed().updateEntity({ ...keys, last: 'King' }),
      () => typed().submitTransaction([['update', { ...keys, last: 'King' }]]),
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
      expect(await typed().getEntity('p', 'r')).toMatchObject(row);
    }
    for (const write of updates) {
      await untyped().upsertEntity(older, 'Replace');
      const [error] = await Promise.all([tableError(write()), untyped().deleteEntity('p', 'r')]);
      expect(error.code).toBe('ResourceNotFound');
    }
  });

  it('do not stop other writes', async () => {
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };
    await typed().upsertEntity(row, 'Replace');
    await typed().upsertEntity({ ...row, last: 'Byron' }, 'Replace');
    const missing = { ...row, rowKey: 'x' };
    const update = await tableError(typed().updateEntity(missing, 'Replace'));
    expect(update.code).toBe('ResourceNotFound');
    expect(update.details).toMatchObject({ rowKey: 'x' });

    const { subResponses } = await typed().submitTransaction(
      [
        ['upsert', { ...row, rowKey: 's' }, 'Replace'],
        ['update', { ...keys, rowKey: 's', age: 37 }],
        ['upsert', { ...row, rowKey: 's', last: 'Lovelace' }, 'Replace'],
        ['delete', row],
      ],
      { split: true },
    );
    expect(subResponses).toHaveLength(4);
    expect(await typed().getEntity('p', 's')).toMatchObject({ last: 'Lovelace', age: 36 });
    expect(await typed().countEntities()).toBe(1);
    const mode = typed().updateEntity(row, 'merge' as 'Merge');
    expect((await tableError(mode)).code).toBe('InvalidInput');
    const action = ['upsert', row, 'Replace', { etag: '*' }] as never;
    expect((await tableError(typed().submitTransaction([action]))).code).toBe('InvalidInput');
  });
});

describe('the version of a row', () => {
  const line = (version: string) =>
    new TextEncoder().encode(
      `{"PartitionKey":"p","RowKey":"r","first":"Ada","last":"King","age":36.5${version}}`,
    );

  it('is needed in bytes that are imported', async () => {
    for (const version of ['', ',"schemaVersion":2', ',"schemaVersion":"3"']) {
      const error = await tableError(typed().importEntities(line(version)));
      expect(error.code).toBe('SchemaViolation');
      expect(error.violations).toMatchObject([{ path: 'schemaVersion' }]);
      expect(error.details).toMatchObject({ entityIndex: 0, stored: 0, ...keys });
    }
    await typed().importEntities(line(',"schemaVersion":3'));
    expect(await typed().getEntity('p', 'r')).toMatchObject({ first: 'Ada', last: 'King' });
  });

  it('is needed in every write, if the definition is enforced', async () => {
    await account.enforce(people);
    const row = { ...keys, first: 'Ada', last: 'King', age: 36.5 };

    const error = await tableError(untyped().createEntity(row));
    expect(error.violations).toMatchObject([{ rule: 'schema-required', path: 'schemaVersion' }]);
    await tableError(untyped().createEntity({ ...row, schemaVersion: 2 }));
    await untyped().createEntity({ ...row, schemaVersion: 3 });
    await untyped().updateEntity({ ...keys, age: 37.5 });
    await typed().updateEntity({ ...keys, last: 'Byron' });
  });

  it('is filled in by writes of rows, and refused if it is another one', async () => {
    const row = { ...keys, first: 'Ada', last: 'King', age: 36 };
    await typed().importEntities([row]);
    expect(await untyped().getEntity('p', 'r')).toMatchObject({ schemaVersion: 3 });

    const old = { ...row, rowKey: 's', schemaVersion: 1 };
    const error = await tableError(typed().createEntity(old));
    expect(error.violations).toMatchObject([{ rule: 'schema-enum', path: 'schemaVersion' }]);
    const { value } = (await people.validate(row)) as { value: unknown };
    expect(value).toEqual(row);
  });
});
