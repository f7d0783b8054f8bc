// What subscribers of a live result get when it fails.

import { describe, expect, test, vi } from 'vitest';

import type { TableEntityResult } from '../../../js/src/entity/entities.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { Received } from '../support/received.js';

type Result = readonly TableEntityResult<Record<string, unknown>>[];

const pet = (rowKey: string) => ({ partitionKey: 'p', rowKey });
const names = (result: Result) => result.map(({ rowKey }) => rowKey).join(' ');

describe('live entities that fail', () => {
  test('pass their error once to each later subscriber', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const onError = vi.fn();
    const live = account.tableClient('Pets').liveEntities({ onError });
    const [first, late] = [0, 1].map(() => ({ next: vi.fn(), error: vi.fn() }));
    live.subscribe(first!);
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());

    const listener = vi.fn();
    const unsubscribe = live.subscribe(listener);
    live.subscribe(late!);
    unsubscribe();

    expect(onError).toHaveBeenCalledOnce();
    expect(listener).toHaveBeenCalledExactlyOnceWith([]);
    for (const { next, error } of [first!, late!]) {
      expect(next).not.toHaveBeenCalled();
      expect(error).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ code: 'TableNotFound' }),
      );
    }
  });

  test('report a failure as no result, and to each listener that subscribes later the last one', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const table = account.tableClient('Pets');
    await table.createTable();
    await table.createEntity(pet('a'));
    const onError = vi.fn();
    const live = table.liveEntities({ onError });
    const received = new Received<string>();
    live.subscribe((result) => received.listener(names(result)));
    await received.next((result) => result === 'a');

    await table.deleteTable();

    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
    expect(received.all).toEqual([]);
    const later = vi.fn((result: Result) => names(result));
    live.subscribe(later);
    expect(later).toHaveReturnedWith('a');
    expect(later).toHaveBeenCalledOnce();
  });

  test('return no result after a failure', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const table = account.tableClient('Pets');
    await table.createTable();
    await table.createEntity(pet('a'));
    const live = table.liveEntities({ onError: () => {} });
    const received = new Received<string>();
    live.subscribe((result) => received.listener(names(result)));
    await received.next((result) => result === 'a');
    expect(live.error).toBeUndefined();
    await table.deleteTable();
    await vi.waitFor(() => expect(() => live.getSnapshot()).toThrow('table'));
    expect(live.error).toMatchObject({ code: 'TableNotFound' });

    const results: string[] = [];
    const iteration = (async () => {
      for await (const result of live) results.push(names(result));
    })();

    await expect(iteration).rejects.toMatchObject({ code: 'TableNotFound' });
    expect(results).toEqual([]);
  });
});
