// A result that stays up to date, as those take it who iterate, and as React, Svelte and RxJS do.

import { firstValueFrom, from, map, type ObservableInput } from 'rxjs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import type { LiveEntities } from '../../../js/src/live/live.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { countedSignal } from '../support/signals.js';
import { Received } from '../support/received.js';

type Result = readonly TableEntityResult<Record<string, unknown>>[];

const pet = (rowKey: string, members: object = {}) => ({ partitionKey: 'p', rowKey, ...members });
const names = (result: Result) => result.map(({ rowKey }) => rowKey).join(' ');

const openPets = () => openTable({ storage: memoryStorage() });

/** Uses a store like React's hook: renders when the snapshot is another, or throws. */
function renderLikeReact(live: LiveEntities) {
  const { subscribe, getSnapshot } = live;
  const renders = new Received<Result>();
  let rendered = getSnapshot();
  renders.listener(rendered);
  let failures = 0;
  const unsubscribe = subscribe(() => {
    try {
      const snapshot = getSnapshot();
      if (Object.is(rendered, snapshot)) return;
      rendered = snapshot;
    } catch {
      failures++;
    }
    renders.listener(rendered);
  });
  return { renders, unsubscribe, failures: () => failures };
}

/** `get` of `svelte/store`: the contract promises a call before `subscribe` returns. */
function getLikeSvelte(live: LiveEntities): Result {
  let value: Result | undefined;
  const unsubscribe = live.subscribe((result) => (value = result));
  unsubscribe();
  return value!;
}

describe('live entities', () => {
  test('are the whole result, and after each commit the new one', async () => {
    const table = await openPets();
    await table.createEntity(pet('b', { age: 8 }));
    const results = table.liveEntities({ filter: 'age gt 5' })[Symbol.asyncIterator]();
    const next = async () => names((await results.next()).value!);

    expect(await next()).toBe('b');
    await table.createEntity(pet('c', { age: 7 }));
    expect(await next()).toBe('b c');
    await table.createEntity(pet('young', { age: 1 }));
    await table.createEntity(pet('a', { age: 6 }));
    expect(await next()).toBe('a b c');
    await table.updateEntity(pet('b', { age: 2 }));
    expect(await next()).toBe('a c');
    await table.deleteEntity('p', 'a');
    expect(await next()).toBe('c');
  });

  test('are in the order of a query, whatever the keys', async () => {
    const table = await openPets();
    const live = table.liveEntities();
    const received = new Received<Result>();
    live.subscribe({ next: received.listener });
    const keys = ['\u{1F600}', '\uFFFD', 'B', 'a', '', '10', '9', 'É'];
    for (const partitionKey of keys) {
      for (const rowKey of keys) await table.upsertEntity({ partitionKey, rowKey });
    }

    const result = await received.next(({ length }) => length === keys.length ** 2);
    expect(result).toEqual(await collect(table.listEntities()));
  });

  test('are of more than a page', async () => {
    const table = await openPets();
    await table.importEntities(Array.from({ length: 2500 }, (_, i) => pet(`n${i}`)));
    const results = table.liveEntities()[Symbol.asyncIterator]();

    expect((await results.next()).value).toHaveLength(2500);
    await table.importEntities(Array.from({ length: 2500 }, (_, i) => pet(`m${i}`)));
    expect((await results.next()).value).toHaveLength(5000);
  });

  test('keep unchanged entities, and never change a result', async () => {
    const table = await openPets();
    await table.createEntity(pet('a'));
    await table.createEntity(pet('b'));
    const live = table.liveEntities();
    const results = live[Symbol.asyncIterator]();
    const first = (await results.next()).value as Result;
    const copy = [...first];

    await table.updateEntity(pet('b', { age: 1 }));

    const second = (await results.next()).value as Result;
    expect(second[0]).toBe(first[0]);
    expect(second[1]).toMatchObject({ age: 1 });
    expect(first).toEqual(copy);
    await table.createEntity(pet('c'));
    await table.deleteEntity('p', 'c');
    await table.updateEntity(pet('a'));
    await results.next();
    expect(live.getSnapshot()).toBe(live.getSnapshot());
  });

  test('lose no write between the end of one subscription and the begin of the next', async () => {
    const table = await openPets();
    const live = table.liveEntities();
    // As often as needed for each moment at which the news may be under way.
    for (let turns = 0; turns < 12; turns++) {
      const received = new Received<Result>();
      const unsubscribe = live.subscribe({ next: received.listener });
      await received.next(({ length }) => length === turns);

      await table.createEntity(pet(`pet${10 + turns}`));
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      unsubscribe();

      const again = new Received<Result>();
      const stop = live.subscribe({ next: again.listener });
      expect(await again.next(({ length }) => length > turns)).toHaveLength(turns + 1);
      stop();
    }
  });

  test('are followed only as long as there are subscribers, and followed again later', async () => {
    const table = await openPets();
    const live = table.liveEntities();
    const received = new Received<Result>();
    const unsubscribe = live.subscribe({ next: received.listener });
    const first = await received.next();
    unsubscribe();
    unsubscribe();
    await table.createEntity(pet('rex'));
    expect(live.getSnapshot()).toBe(first);

    live.subscribe({ next: received.listener });

    expect(await received.next()).toBe(first);
    expect(names(await received.next())).toBe('rex');
  });

  test('end with their signal, their account, and the iteration', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    const controller = new AbortController();
    const aborted = collect(table.liveEntities({ abortSignal: controller.signal }));
    const closed = collect(table.liveEntities());
    const left = table.liveEntities()[Symbol.asyncIterator]();
    expect((await left.next()).done).toBe(false);
    const waiting = left.next();

    await left.return!();
    controller.abort();
    await account.close();

    expect((await waiting).done).toBe(true);
    expect((await left.next()).done).toBe(true);
    expect((await aborted).length).toBeLessThan(2);
    expect((await closed).length).toBeLessThan(2);
  });

  test('leave no listener on a signal after the last subscriber', async () => {
    const table = await openPets();
    const { signal, listeners } = countedSignal();
    const live = table.liveEntities({ abortSignal: signal });
    expect(listeners()).toBe(0);

    for (let time = 0; time < 3; time++) {
      const received = new Received<Result>();
      const unsubscribe = live.subscribe({ next: received.listener });
      await received.next();
      expect(listeners()).toBeGreaterThan(0);
      unsubscribe();
    }
    expect(listeners()).toBe(0);
  });

  test('end with a signal that a listener fires when it is first called', async () => {
    const table = await openPets();
    const { signal, listeners, abort } = countedSignal();
    const live = table.liveEntities({ abortSignal: signal });

    live.subscribe(() => abort());

    expect(listeners()).toBe(0);
    expect(await collect(live)).toEqual([]);
  });

  test('do not follow the table for subscribers that left before', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const live = account.tableClient('Pets').liveEntities();
    const followUntilChange = async () => {
      const received = new Received<Result>();
      const unsubscribe = live.subscribe(received.listener);
      // The first is what is known by now.
      await received.next();
      await received.next();
      unsubscribe();
    };
    await followUntilChange();
    const request = vi.spyOn(account.session, 'answer');

    for (let time = 0; time < 20; time++) live.subscribe(() => {})();
    const unsubscribe = live.subscribe(() => {});
    await vi.waitFor(() => expect(request).toHaveBeenCalled());
    unsubscribe();

    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
    await Promise.allSettled(request.mock.results.map(({ value }) => value as Promise<unknown>));
  });

  test('have ended with a signal that fired without subscribers', async () => {
    const table = await openPets();
    const abort = new AbortController();
    const live = table.liveEntities({ abortSignal: abort.signal });
    abort.abort();

    const results = [];
    for await (const result of live) results.push(result);
    expect(results).toEqual([]);
  });

  test('pass errors to all observers', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    const onError = vi.fn();
    const live = table.liveEntities({ onError });
    const { renders, failures } = renderLikeReact(live);
    const error = vi.fn();
    live.subscribe({ error });
    const iteration = collect(live);
    await renders.next(() => live.isLoaded);

    await account.deleteTable('Pets');

    await expect(iteration).rejects.toMatchObject({ code: 'TableNotFound' });
    expect(() => live.getSnapshot()).toThrow('table');
    expect(failures()).toBe(1);
    for (const listener of [onError, error]) {
      expect(listener).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ code: 'TableNotFound' }),
      );
    }
    await expect(collect(live)).rejects.toMatchObject({ code: 'TableNotFound' });
  });

  test('are a store of React', async () => {
    const table = await openPets();
    await table.createEntity(pet('a'));
    const live = table.liveEntities();
    const { renders, unsubscribe } = renderLikeReact(live);

    expect(names(await renders.next())).toBe('');
    expect(names(await renders.next())).toBe('a');
    await table.createEntity(pet('b'));
    expect(names(await renders.next())).toBe('a b');
    unsubscribe();
    await table.createEntity(pet('c'));
    expect(renders.all).toEqual([]);
  });

  test('are a store of Svelte', async () => {
    const table = await openPets();
    await table.createEntity(pet('a'));
    const live = table.liveEntities();
    expect(getLikeSvelte(live)).toEqual([]);
    const received = new Received<string>();
    live.subscribe((result) => received.listener(names(result)));

    expect(received.all).toEqual(['']);
    await received.next((result) => result === 'a');
    expect(names(getLikeSvelte(live))).toBe('a');
  });

  test('are an observable of RxJS', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    const live = table.liveEntities();
    const received = new Received<string>();
    const complete = vi.fn();
    const results = from(live as unknown as ObservableInput<Result>).pipe(map(names));
    results.subscribe({ next: received.listener, complete });

    expect(await received.next()).toBe('');
    await table.createEntity(pet('a'));
    expect(await received.next()).toBe('a');
    expect(await firstValueFrom(results)).toBe('a');
    await account.close();
    await vi.waitFor(() => expect(complete).toHaveBeenCalledOnce());
  });
});

describe('live entities with a selection', () => {
  test('have the selected properties and those of the system, after each commit, too', async () => {
    const table = await openPets();
    await table.createEntity(pet('a', { name: 'Ada', age: 3 }));
    const live = table.liveEntities({ select: ['name', 'chip', 'etag'] });
    const results = live[Symbol.asyncIterator]();
    const system = { etag: expect.any(String), timestamp: expect.any(String) };
    const ada = { ...pet('a'), ...system, name: 'Ada', chip: null };
    expect((await results.next()).value).toEqual([ada]);

    await table.createEntity(pet('b', { name: 'Bea', chip: 5n, age: 4 }));
    const bea = { ...pet('b'), ...system, name: 'Bea', chip: 5n };
    expect((await results.next()).value).toEqual([ada, bea]);

    const inserted = new Received<readonly object[]>();
    table.subscribe({ select: ['name'] }, (changes) => inserted.listener(changes.inserted));
    await inserted.next();
    await table.createEntity(pet('c', { name: 'Cid', age: 5 }));
    expect(await inserted.next()).toEqual([{ ...pet('c'), ...system, name: 'Cid' }]);
  });
});
