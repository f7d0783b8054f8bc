// Live results in an order of properties.

import { describe, expect, test } from 'vitest';

import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openTable } from '../support/accounts.js';
import { Received } from '../support/received.js';
import { errorCode } from '../support/rejection.js';

type Result = readonly TableEntityResult<object>[];

const pet = (rowKey: string, age: number) => ({ partitionKey: 'p', rowKey, age });
const names = (result: Result) => result.map(({ rowKey }) => rowKey).join(' ');

async function openPets() {
  const table = await openTable({ storage: memoryStorage() });
  for (const [rowKey, age] of [
    ['a', 3],
    ['b', 1],
    ['c', 2],
  ] as const) {
    await table.createEntity(pet(rowKey, age));
  }
  return table;
}

describe('a live result in an order', () => {
  test('keeps the order when entities come, change and go', async () => {
    const table = await openPets();
    const received = new Received<Result>();
    table.liveEntities({ orderBy: ['age desc'] }).subscribe({ next: received.listener });
    const first = await received.next();
    expect(names(first)).toBe('a c b');

    await table.createEntity(pet('d', 2.5));
    const second = await received.next();
    expect(names(second)).toBe('a d c b');
    expect(second[0]).toBe(first[0]);
    expect(second[2]).toBe(first[1]);

    await table.updateEntity(pet('b', 9));
    expect(names(await received.next())).toBe('b a d c');
    await table.deleteEntity('p', 'a');
    expect(names(await received.next())).toBe('b d c');
  });

  test.each([{}, { orderBy: ['age'] }])('may have more than one page, with %j', async (order) => {
    const table = await openPets();
    await table.importEntities(
      Array.from({ length: 1500 }, (_, n) => pet(`n${10_000 + n}`, 10 + n)),
    );
    const received = new Received<Result>();
    const live = table.liveEntities({ ...order, top: 1001 });
    live.subscribe({ next: received.listener });
    expect(await received.next()).toHaveLength(1001);
    expect(live.getSnapshot().at(-1)).toMatchObject({ rowKey: 'n10997' });

    await table.deleteEntity('p', 'a');
    expect(await received.next()).toHaveLength(1001);
    expect(live.getSnapshot().at(-1)).toMatchObject({ rowKey: 'n10998' });
  });

  test('has the first entities of the order', async () => {
    const table = await openPets();
    const received = new Received<Result>();
    const live = table.liveEntities({ orderBy: ['age'], top: 2, select: ['age'] });
    live.subscribe({ next: received.listener });
    const first = await received.next();
    expect(names(first)).toBe('b c');
    expect(Object.keys(first[0]!).sort()).toEqual([
      ...['age', 'etag', 'partitionKey', 'rowKey', 'timestamp'],
    ]);

    await table.createEntity(pet('d', 0));
    expect(names(await received.next())).toBe('d b');
    await table.deleteEntity('p', 'd');
    expect(names(await received.next())).toBe('b c');
  });

  test('stays the same array if a change has nothing to do with it', async () => {
    const table = await openPets();
    const received = new Received<Result>();
    const live = table.liveEntities({ filter: 'age lt 3', orderBy: ['age'] });
    live.subscribe({ next: received.listener });
    const first = await received.next();
    expect(names(first)).toBe('b c');

    await table.updateEntity(pet('a', 5));
    await table.createEntity(pet('e', 1.5));
    expect(names(await received.next())).toBe('b e c');
    expect(received.all).toEqual([]);
  });

  test('takes another order', async () => {
    const table = await openPets();
    const live = table.liveEntities({ orderBy: ['age'] });
    const received = new Received<Result>();
    live.subscribe({ next: received.listener });
    expect(names(await received.next())).toBe('b c a');

    live.update({ orderBy: ['age'] });
    expect(live.isStale).toBe(false);
    live.update({ orderBy: ['age desc'] });
    expect(live.isStale).toBe(true);
    expect(names(await received.next())).toBe('a c b');
    live.update({});
    expect(names(await received.next())).toBe('a b c');
  });

  test('fails if the order is wrong', async () => {
    const table = await openPets();
    const failure = new Promise((_, onError) => {
      table.liveEntities({ orderBy: ['age up'], onError }).subscribe(() => undefined);
    });

    expect(await errorCode(failure)).toBe('InvalidInput');
    expect(() => table.subscribe({ orderBy: ['age'] } as object, () => undefined)).toThrow(
      'no option orderBy',
    );
  });
});
