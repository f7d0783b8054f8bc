// Properties with names that every object inherits.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const keys = { partitionKey: 'p', rowKey: 'r' };

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Names');
});

describe.each(['constructor', 'toString', '__proto__'])('a property named %s', (name) => {
  const pair = <T>(value: T) => Object.fromEntries([[name, value]]) as Record<string, T>;
  const untyped = () => account.tableClient('Names');

  it('has its default in writes and reads', async () => {
    const properties = { ...KEYS, ...pair(t.string().default('x')) };
    const table = await tableOf(account, defineTable('Names', properties));
    const old = { ...keys, rowKey: 'old' };
    await untyped().createEntity(old);
    await table.insert(keys);

    for (const row of [
      await untyped().getEntity('p', 'r'),
      await table.get(old),
      await table.get(old, { select: [name as 'rowKey'] }),
    ]) {
      expect(Object.entries(row!)).toContainEqual([name, 'x']);
    }
  });

  it('may be missing, be checked and be followed', async () => {
    const properties = { ...KEYS, ...pair(t.string({ pattern: /x/ }).optional()) };
    const table = await tableOf(account, defineTable('Names', properties));
    await table.insert(keys);
    await table.upsert({ ...keys, rowKey: 's', ...pair('x') });
    await expect(table.insert({ ...keys, rowKey: 't', ...pair('y') })).rejects.toThrow();

    const live = table.live({ select: [name as 'rowKey'] });
    const seen: unknown[] = [];
    for await (const rows of live) {
      seen.push(rows.map((row) => Object.entries(row).filter(([one]) => one === name)));
      if (seen.length === 2) break;
      await untyped().upsertEntity({ ...keys, more: 1 });
    }
    expect(seen).toEqual([
      [[], [[name, 'x']]],
      [[], [[name, 'x']]],
    ]);
    expect(await table.get(keys, { select: [name as 'rowKey'] })).not.toSatisfy((row) =>
      Object.hasOwn(row as object, name),
    );
  });

  it('may be the field of a key', async () => {
    const properties = { ...pair(t.string()), more: t.int32().optional() };
    const table = await tableOf(account, defineTable('Names', properties, { key: name as 'more' }));
    await table.insert(pair('x') as never);

    const row = (await table.get(pair('x') as never))!;
    expect(Object.entries(row)).toContainEqual([name, 'x']);
    expect(await untyped().getEntity('all', 'x')).toMatchObject({ rowKey: 'x' });
    expect(await errorCode(table.get({} as never))).toBe('InvalidInput');
  });

  it('may be the version of rows', async () => {
    const upgrade = { 1: (row: object) => ({ ...row, first: 'Ada' }) };
    const options = { version: 2, versionProperty: name, upgrade };
    const table = await tableOf(account, defineTable('Names', KEYS, options));
    await table.insert(keys);
    await untyped().createEntity({ ...keys, rowKey: 'old' });

    expect(Object.entries(await untyped().getEntity('p', 'r'))).toContainEqual([name, 2]);
    const old = (await table.get({ ...keys, rowKey: 'old' }))!;
    expect(old).toMatchObject({ first: 'Ada' });
    expect(Object.hasOwn(old, name)).toBe(false);
  });
});
