// Typed writes to rows that another account of the storage has written.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const properties = {
  ...{ partitionKey: t.string(), rowKey: t.string(), first: t.string() },
  ...{ here: t.int32().optional(), there: t.int32().optional() },
};
const first = (row: Record<string, unknown>) => ({ ...row, first: 'Ada' });
const people = defineTable('People', properties, { version: 2, upgrade: { 1: first } });
const newest = defineTable('People', properties, { version: 3, upgrade: { 1: first, 2: first } });
const keys = { partitionKey: 'p', rowKey: 'r' };

let here: TableServiceClient;
let there: TableServiceClient;

beforeEach(async () => {
  const storage = memoryStorage();
  there = await openForTest({ storage });
  await there.createTable('People');
  here = await openForTest({ storage });
  await here.tableClient('People').countEntities({ fresh: true });
});

const stored = () => there.tableClient('People').getEntity('p', 'r', { fresh: true });

/** Stores a row of version 1, which `here` knows. */
async function storeOld(): Promise<void> {
  await there.tableClient('People').createEntity({ ...keys, name: 'Ada' });
  await here.tableClient('People').getEntity('p', 'r', { fresh: true });
}

describe('a typed write of a row with a version', () => {
  const row = { ...keys, here: 1 };
  const writes = [
    () => here.table(people).updateEntity(row),
    () => here.table(people).upsertEntity(row),
    () => here.table(people).submitTransaction([['update', row]]),
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
    const { etag } = await there.table(people).updateEntity({ ...keys, there: 42 });

    await here.table(people).updateEntity(row, 'Merge', { etag: etag! });
    expect(await stored()).toMatchObject({ first: 'Ada', here: 1, there: 42 });
  });

  it('does not replace a row that another account has made newer', async () => {
    await storeOld();
    const { etag } = await there.table(newest).updateEntity({ ...keys, there: 42 });
    const options = { etag: etag! };

    for (const write of [
      ...writes,
      () => here.table(people).updateEntity(row, 'Merge', options),
      () => here.table(people).submitTransaction([['update', row, 'Merge', options]]),
    ]) {
      expect((await tableError(write())).code).toBe('SchemaVersionTooNew');
    }
    expect(await stored()).toMatchObject({ there: 42, schemaVersion: 3 });
  });

  it('is refused with an older etag', async () => {
    await storeOld();
    const { etag } = await here.tableClient('People').getEntity('p', 'r');
    await there.table(people).updateEntity({ ...keys, there: 42 });

    const update = here.table(people).updateEntity(row, 'Merge', { etag });
    expect((await tableError(update)).code).toBe('UpdateConditionNotSatisfied');
    expect(await stored()).not.toHaveProperty('here');
  });
});
