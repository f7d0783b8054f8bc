// Writes to rows that another account of the storage has written.

import { beforeEach, describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const properties = {
  ...{ partitionKey: t.string(), rowKey: t.string(), first: t.string() },
  ...{ here: t.int32().optional(), there: t.int32().optional() },
};
const first = (row: Record<string, unknown>) => ({ ...row, first: 'Ada' });
const people = defineTable('People', properties, { version: 2, upgrade: { 1: first } });
const newest = defineTable('People', properties, { version: 3, upgrade: { 1: first, 2: first } });
const keys = { partitionKey: 'p', rowKey: 'r' };

async function openBoth() {
  const storage = memoryStorage();
  const there = await openForTest({ storage, tables: { people } });
  await there.ready;
  const here = await openForTest({ storage, tables: { people } });
  await here.ready;
  await here.tableClient('People').countEntities({ fresh: true });
  return [here, there] as const;
}

let [here, there] = [] as unknown as Awaited<ReturnType<typeof openBoth>>;

beforeEach(async () => {
  [here, there] = await openBoth();
});

const stored = () => there.tableClient('People').getEntity('p', 'r', { fresh: true });

/** Stores a row of version 1, which `here` knows. */
async function storeOld(): Promise<void> {
  await there.tableClient('People').createEntity({ ...keys, name: 'Ada' });
  await here.tableClient('People').getEntity('p', 'r', { fresh: true });
}

describe('a write of a row with a version', () => {
  const change = { here: 1 };
  const writes = [
    () => here.tables.people.update(keys, change),
    () => here.tables.people.upsert({ ...keys, ...change }),
    () => here.transaction(({ people }) => people.update(keys, change)),
  ];

  it('finds a row that another account has stored', async () => {
    for (const write of writes) {
      await there.tableClient('People').upsertEntity({ ...keys, name: 'Ada' }, 'Replace');
      await write();
      expect(await stored()).toMatchObject({ first: 'Ada', here: 1, schemaVersion: 2 });
      await there.tableClient('People').deleteEntity('p', 'r');
      await here.tableClient('People').countEntities({ fresh: true });
    }
  });

  it('keeps what another account has changed, also with the newest etag', async () => {
    await storeOld();
    const ifUnchanged = await there.tables.people.update(keys, { there: 42 });

    await here.tables.people.update(keys, change, { ifUnchanged });
    expect(await stored()).toMatchObject({ first: 'Ada', here: 1, there: 42 });
  });

  it('does not replace a row that another account has made newer', async () => {
    await storeOld();
    const newer = await tableOf(there, newest);
    const ifUnchanged = await newer.update(keys, { there: 42 });

    for (const write of [
      ...writes,
      () => here.tables.people.update(keys, change, { ifUnchanged }),
    ]) {
      expect(await errorCode(write())).toBe('SchemaVersionTooNew');
    }
    expect(await stored()).toMatchObject({ there: 42, schemaVersion: 3 });
  });

  it('is refused with an older etag', async () => {
    await storeOld();
    const ifUnchanged = await here.tableClient('People').getEntity('p', 'r');
    await there.tables.people.update(keys, { there: 42 });

    const update = here.tables.people.update(keys, change, { ifUnchanged });
    expect(await errorCode(update)).toBe('UpdateConditionNotSatisfied');
    expect(await stored()).not.toHaveProperty('here');
  });
});
