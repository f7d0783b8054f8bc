// Live results that change their query, that have a limit, and that count.

import { describe, expect, test, vi } from 'vitest';

import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable } from '../support/accounts.js';
import { Received } from '../support/received.js';

type Result = readonly TableEntityResult<Record<string, unknown>>[];

const pet = (rowKey: string, members: object = {}) => ({ partitionKey: 'p', rowKey, ...members });
const names = (result: Result) => result.map(({ rowKey }) => rowKey).join(' ');

const openPets = async (...rowKeys: string[]) => {
  const table = await openTable({ storage: memoryStorage() });
  for (const rowKey of rowKeys) await table.createEntity(pet(rowKey));
  return table;
};

describe('a live result whose query changes', () => {
  test('keeps the result until the first one of the new query is there', async () => {
    const table = await openPets('a', 'b', 'c');
    const live = table.liveEntities({ filter: "RowKey le 'b'" });
    const received = new Received<Result>();
    live.subscribe({ next: received.listener });
    const first = await received.next();
    expect(names(first)).toBe('a b');
    expect(live.isStale).toBe(false);

    live.update({ filter: "RowKey ge 'b'" });

    expect(live.getSnapshot()).toBe(first);
    expect([live.isLoaded, live.isStale]).toEqual([true, true]);
    expect(names(await received.next())).toBe('b c');
    expect(live.isStale).toBe(false);
    await table.createEntity(pet('d'));
    expect(names(await received.next())).toBe('b c d');
    live.update({});
    expect(names(await received.next())).toBe('a b c d');
    expect(received.all).toEqual([]);
  });

  test('goes on as it was if the query is the same', async () => {
    const table = await openPets('a');
    const live = table.liveEntities({ filter: "RowKey eq 'a'", top: 2 });
    const received = new Received<Result>();
    live.subscribe({ next: received.listener });
    const first = await received.next();

    live.update({ filter: "RowKey eq 'a'", top: 2 });

    expect(live.isStale).toBe(false);
    await table.updateEntity(pet('a', { age: 1 }));
    expect(await received.next()).toMatchObject([{ age: 1 }]);
    expect(live.getSnapshot()).not.toBe(first);
  });

  test('can change before something subscribes', async () => {
    const table = await openPets('a', 'b');
    const live = table.liveEntities({ filter: "RowKey eq 'a'" });

    live.update({ filter: "RowKey eq 'b'" });

    expect(live.isStale).toBe(false);
    const { value } = (await live[Symbol.asyncIterator]().next()) as { value: Result };
    expect(names(value)).toBe('b');
  });

  test('begins anew after a filter that was wrong, for its listeners', async () => {
    const table = await openPets('a', 'b');
    const onError = vi.fn();
    const live = table.liveEntities({ onError });
    const received = new Received<Result | 'failed'>();
    live.subscribe(() => {
      try {
        received.listener(live.getSnapshot());
      } catch {
        received.listener('failed');
      }
    });
    expect(names((await received.next((result) => result.length > 0)) as Result)).toBe('a b');

    live.update({ filter: 'RowKey eq' });
    expect(await received.next()).toBe('failed');
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'InvalidInput' }),
    );
    live.update({ filter: "RowKey eq 'a'" });

    expect(names((await received.next()) as Result)).toBe('a');
  });

  test('does not begin anew after its end', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const live = account.tableClient('Pets').liveEntities();
    const complete = vi.fn();
    live.subscribe({ complete });
    await account.close();
    await vi.waitFor(() => expect(complete).toHaveBeenCalledOnce());

    live.update({ filter: 'true' });

    const again = vi.fn();
    live.subscribe({ complete: again });
    expect(again).toHaveBeenCalledOnce();
  });
});

describe('a live result with a limit', () => {
  const followTop = async (top: number, ...rowKeys: string[]) => {
    const table = await openPets(...rowKeys);
    const live = table.liveEntities({ top });
    const received = new Received<Result>();
    live.subscribe({ next: received.listener });
    return { table, live, received, next: async () => names(await received.next()) };
  };

  test('has the first entities by their keys, also after changes', async () => {
    const { table, next } = await followTop(2, 'b', 'd', 'f');
    expect(await next()).toBe('b d');

    await table.createEntity(pet('c'));
    expect(await next()).toBe('b c');
    await table.createEntity(pet('a'));
    expect(await next()).toBe('a b');
    await table.deleteEntity('p', 'b');
    expect(await next()).toBe('a c');
    await table.deleteEntity('p', 'a');
    expect(await next()).toBe('c d');
    await table.deleteEntity('p', 'd');
    expect(await next()).toBe('c f');
    await table.deleteEntity('p', 'f');
    expect(await next()).toBe('c');
    await table.createEntity(pet('z'));
    expect(await next()).toBe('c z');
  });

  test('is right when some go and others come in one commit', async () => {
    const { table, next } = await followTop(2, 'a', 'b', 'c', 'd');
    expect(await next()).toBe('a b');

    await table.submitTransaction([
      ['delete', pet('a')],
      ['create', pet('z')],
      ['delete', pet('c')],
    ]);

    expect(await next()).toBe('b d');
  });

  test('is no new result when entities change behind the last one', async () => {
    const { table, live, received } = await followTop(2, 'a', 'b');
    const first = await received.next();

    await table.createEntity(pet('c'));
    await table.updateEntity(pet('c', { age: 1 }));
    await table.deleteEntity('p', 'c');
    await table.updateEntity(pet('a', { age: 1 }));

    const second = await received.next();
    expect(names(second)).toBe('a b');
    expect(second[1]).toBe(first[1]);
    expect(live.getSnapshot()).toBe(second);
    expect(received.all).toEqual([]);
  });

  test('grows and shrinks with another limit', async () => {
    const { live, next } = await followTop(1, 'a', 'b', 'c');
    expect(await next()).toBe('a');

    live.update({ top: 2 });
    expect(await next()).toBe('a b');
    live.update({});
    expect(await next()).toBe('a b c');
  });

  test('is the same as a query, after any changes', async () => {
    const { table, live, received } = await followTop(5);
    await received.next();
    // A sequence that repeats nothing: powers modulo a prime.
    for (let step = 1, at = 1; step < 150; step++, at = (at * 5) % 151) {
      const rowKey = String.fromCharCode(97 + (at % 20));
      if (at % 3 === 0) await table.upsertEntity(pet(rowKey, { step }));
      else if (at % 3 === 1) await table.upsertEntity(pet(`${rowKey}${step % 4}`, { step }));
      else {
        const [page] = [await table.listEntities().byPage({ maxPageSize: 3 }).next()];
        const [first] = (page.value as Result) ?? [];
        if (first) await table.deleteEntity(first.partitionKey, first.rowKey);
      }
      const expected = (await table.listEntities().byPage({ maxPageSize: 5 }).next())
        .value as Result;
      await vi.waitFor(() => expect(live.getSnapshot()).toEqual([...(expected ?? [])]));
    }
  });
});

describe('a live count', () => {
  test('is the number of entities that fit, in any tab', async () => {
    const storage = memoryStorage();
    const table = await openTable({ storage });
    const theirs = (await openForTest({ storage })).tableClient('Pets');
    await table.createEntity(pet('a', { age: 9 }));
    const live = table.liveCount({ filter: 'age gt 5' });
    expect([live.isLoaded, live.getSnapshot()]).toEqual([false, 0]);
    const received = new Received<number>();
    live.subscribe({ next: received.listener });

    expect(await received.next()).toBe(1);
    await table.createEntity(pet('young', { age: 1 }));
    await theirs.createEntity(pet('b', { age: 8 }));
    expect(await received.next()).toBe(2);
    await table.updateEntity(pet('a', { age: 2 }));
    expect(await received.next()).toBe(1);
    await table.deleteEntity('p', 'b');
    expect(await received.next()).toBe(0);
    await table.importEntities(Array.from({ length: 2500 }, (_, i) => pet(`n${i}`, { age: i })));
    expect(await received.next((count) => count === 2494)).toBe(2494);
    live.update({ filter: 'age lt 5' });
    expect(await received.next()).toBe(7);
  });

  test('is iterated over, and fails without its table', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const counts = account.tableClient('Pets').liveCount()[Symbol.asyncIterator]();

    expect(await counts.next()).toEqual({ done: false, value: 0 });
    const next = counts.next();
    await account.deleteTable('Pets');
    await expect(next).rejects.toMatchObject({ code: 'TableNotFound' });
  });
});
