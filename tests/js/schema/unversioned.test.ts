import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { KEYS, keys, people } from './people.js';

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('People');
});

const untyped = () => account.tableClient('People');
const typed = () => account.table(people);

describe('a definition without a version', () => {
  const first = defineTable('People', { ...KEYS, name: t.string() });
  const row = { ...keys, name: 'Ada' };
  const writes = (table = account.table(first), etag: string) => [
    () => table.updateEntity(row),
    () => table.updateEntity(row, 'Replace', { etag }),
    () => table.upsertEntity(row),
    () => table.upsertEntity(row, 'Replace'),
    () => table.submitTransaction([['upsert', row, 'Replace']]),
    () => table.submitTransaction([['update', row, 'Merge', { etag }]], { split: true }),
    () => table.importEntities([row], { mode: 'Replace' }),
    () => table.importEntities([row], { mode: 'Merge' }),
  ];

  it('is version 1, and overwrites no row of a later one', async () => {
    await typed().createEntity({ ...keys, first: 'Ada', last: 'King', age: 36 });
    const stored = await untyped().getEntity('p', 'r');

    for (const write of writes(account.table(first), stored.etag)) {
      expect((await tableError(write())).code).toBe('SchemaVersionTooNew');
    }
    expect(await untyped().getEntity('p', 'r')).toEqual(stored);
  });

  it('overwrites none that another account has written meanwhile', async () => {
    const storage = memoryStorage();
    const [old, later] = [await openForTest({ storage }), await openForTest({ storage })];
    await old.createTable('People');
    await old.table(first).createEntity(row);
    await later.table(people).upsertEntity({ ...keys, first: 'A', last: 'K', age: 1 }, 'Replace');

    const error = await tableError(old.table(first).upsertEntity(row, 'Replace'));
    expect(error.code).toBe('SchemaVersionTooNew');
  });

  it.each([undefined, 1, 'beta', 1.5])('writes over rows with the value %j', async (value) => {
    await untyped().createEntity({ ...row, schemaVersion: value });

    await account.table(first).updateEntity({ ...keys, name: 'Eve' });
    expect(await untyped().getEntity('p', 'r')).toMatchObject({ name: 'Eve' });
    await account.table(first).upsertEntity(row, 'Replace');
    expect(await untyped().getEntity('p', 'r')).not.toHaveProperty('schemaVersion');
  });

  it('may declare a property of that name for itself', async () => {
    const own = defineTable('People', { ...KEYS, schemaVersion: t.int32() });
    await account.table(own).createEntity({ ...keys, schemaVersion: 7 });
    await account.table(own).updateEntity({ ...keys, schemaVersion: 8 });

    expect((await account.table(own).getEntity('p', 'r')).schemaVersion).toBe(8);
  });
});
