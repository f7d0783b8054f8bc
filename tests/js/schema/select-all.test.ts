// The selection of a star: it selects all properties, as no selection does.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const properties = {
  partitionKey: t.string(),
  rowKey: t.string(),
  text: t.string(),
  count: t.int32().default(5),
};
const star = { select: ['*'] as never[] };

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Stars');
});

const untyped = () => account.tableClient('Stars');

// The results of a live result, before and after a row is written.
async function liveResults(live: AsyncIterable<readonly object[]>): Promise<object[][]> {
  const seen: object[][] = [];
  for await (const rows of live) {
    seen.push([...rows]);
    if (seen.length === 2) break;
    await untyped().createEntity({ partitionKey: 'p', rowKey: 's', text: 'y' });
  }
  return seen;
}

describe.each([
  ['a declared table', {}],
  ['a declared table with versions', { version: 2, upgrade: { 1: (row: object) => row } }],
])('of %s', (_, options) => {
  const typed = () => account.table(defineTable('Stars', properties, options));

  beforeEach(async () => {
    await untyped().createEntity({ partitionKey: 'p', rowKey: 'r', text: 'x' });
  });

  it('reads whole rows', async () => {
    const whole = await typed().getEntity('p', 'r');

    expect(whole).toMatchObject({ text: 'x', count: 5, rowKey: 'r' });
    expect(await typed().getEntity('p', 'r', star)).toEqual(whole);
    expect(await collect(typed().listEntities(star))).toEqual([whole]);
  });

  it('follows whole rows', async () => {
    const seen = await liveResults(typed().liveEntities(star));

    const rows = await collect(typed().listEntities());
    expect(rows).toMatchObject([{ count: 5 }, { text: 'y', count: 5 }]);
    expect(seen).toEqual([rows.slice(0, 1), rows]);
  });

  it('is refused beside names, as in the service', async () => {
    const mixed = { select: ['*', 'text'] as never[] };

    for (const read of [
      () => typed().getEntity('p', 'r', mixed),
      () => collect(typed().listEntities(mixed)),
      () => liveResults(typed().liveEntities(mixed)),
    ]) {
      expect((await tableError(read())).code).toBe('InvalidInput');
    }
  });
});

it('of any other table follows whole entities', async () => {
  await untyped().createEntity({ partitionKey: 'p', rowKey: 'r', text: 'x' });

  const seen = await liveResults(untyped().liveEntities(star));
  const rows = await collect(untyped().listEntities());
  expect(rows).toMatchObject([{ text: 'x' }, { text: 'y' }]);
  expect(seen).toEqual([rows.slice(0, 1), rows]);
});
