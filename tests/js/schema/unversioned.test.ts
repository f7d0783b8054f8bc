import { beforeEach, describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { KEYS, keys, people } from './people.js';

const first = defineTable('People', { ...KEYS, name: t.string() });

const open = async (storage = memoryStorage()) => {
  const opened = await openForTest({ storage, tables: { first } });
  await opened.ready;
  return opened;
};
let account: Awaited<ReturnType<typeof open>>;

beforeEach(async () => {
  account = await open();
});

const untyped = () => account.tableClient('People');

describe('a definition without a version', () => {
  const row = { ...keys, name: 'Ada' };
  const changes = { name: 'Ada' };

  it('is version 1, and overwrites no row of a later one', async () => {
    const later = await tableOf(account, people);
    await later.insert({ ...keys, first: 'Ada', last: 'King', age: 36 });
    const stored = await untyped().getEntity('p', 'r');
    const ifUnchanged = stored;
    const table = account.tables.first;

    for (const write of [
      () => table.update(keys, changes),
      () => table.update(keys, changes, { ifUnchanged }),
      () => table.upsert(row),
      () => table.put(row),
      () => table.put(row, { ifUnchanged }),
      () => account.transaction((tx) => tx.first.put(row)),
      () => table.import([row], { mode: 'Replace' }),
      () => table.import([row], { mode: 'Merge' }),
    ]) {
      expect((await tableError(write())).code).toBe('SchemaVersionTooNew');
    }
    expect(await untyped().getEntity('p', 'r')).toEqual(stored);
  });

  it('overwrites none that another account has written meanwhile', async () => {
    const storage = memoryStorage();
    const [old, other] = [await open(storage), await openForTest({ storage })];
    await old.tables.first.insert(row);
    const later = await tableOf(other, people);
    await later.put({ ...keys, first: 'A', last: 'K', age: 1 });

    const error = await tableError(old.tables.first.put(row));
    expect(error.code).toBe('SchemaVersionTooNew');
  });

  it.each([undefined, 1, 'beta', 1.5])('writes over rows with the value %j', async (value) => {
    await untyped().createEntity({ ...row, schemaVersion: value });

    await account.tables.first.update(keys, { name: 'Eve' });
    expect(await untyped().getEntity('p', 'r')).toMatchObject({ name: 'Eve' });
    await account.tables.first.put(row);
    expect(await untyped().getEntity('p', 'r')).not.toHaveProperty('schemaVersion');
  });

  it('may declare a property of that name for itself', async () => {
    const own = defineTable('People', { ...KEYS, schemaVersion: t.int32() });
    const table = await tableOf(account, own);
    expect(await table.insert({ ...keys, schemaVersion: 7 })).toMatchObject({ schemaVersion: 7 });
    await table.update(keys, { schemaVersion: 8 });

    expect((await table.get(keys))!.schemaVersion).toBe(8);
  });
});
