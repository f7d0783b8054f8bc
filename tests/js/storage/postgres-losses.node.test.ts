// How postgresStorage finds out that the server was lost, and what calls do until it is back, over
// a double of the pool.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { Batch, StoreStatus } from '../../../js/src/storage/page-storage.js';
import { append, failure, flush, opened } from '../support/postgres-double.js';
import { errorCode } from '../support/rejection.js';

describe('a server that may have lost commits', () => {
  it('makes the outcome of the next record unknown, and stores nothing of it', async () => {
    const { double, storage } = await opened();
    await storage.commit(append);
    double.server = 'two';

    expect((await storage.commit(append)).outcome).toBe('unknown');
    expect((await storage.commit(append)).outcome).toBe('ok');
  });

  it('makes the outcome of the next transaction unknown, and stores nothing of it', async () => {
    const { double, storage } = await opened();
    double.server = 'two';

    expect((await storage.commit(flush)).outcome).toBe('unknown');
    expect(double.statements).toEqual(['BEGIN', 'write', 'ROLLBACK']);
    expect((await storage.commit(flush)).outcome).toBe('ok');
  });

  it('makes the outcome unknown of all commits that were called before', async () => {
    const { double, storage } = await opened();
    double.server = 'two';
    const results = await Promise.all([append, flush, append].map((one) => storage.commit(one)));

    expect(results.map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown', 'unknown']);
    expect((await storage.commit(append)).outcome).toBe('ok');
  });

  it('is reported also if the first commit after it is one that others have overtaken', async () => {
    const { double, storage } = await opened();
    double.server = 'two';
    const overtaken: Batch = { ...flush, expect: [['pages/1', Uint8Array.of(9)]] };

    expect((await storage.commit(overtaken)).outcome).toBe('unknown');
    expect((await storage.commit(overtaken)).outcome).toBe('moved');
  });

  it('is reported also after an exclusive read that stores nothing', async () => {
    const { double, storage } = await opened();
    double.server = 'two';

    expect(await storage.exclusively!({ keys: [] }, () => undefined)).toBeUndefined();
    expect((await storage.commit(append)).outcome).toBe('unknown');
  });

  it('is noticed by an idle connection that ends', async () => {
    const { double, storage } = await opened();
    const seen: StoreStatus[] = [];
    storage.onStatus!((status) => seen.push(status));
    double.loseIdle();

    expect((await storage.commit(append)).outcome).toBe('unknown');
    expect((await storage.commit(append)).outcome).toBe('ok');
    expect(seen).toEqual(['lost', 'reconnected']);
  });
});

describe('calls that come while the server is lost', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('wait ten seconds together, however many there are', async () => {
    const { double, storage } = await opened();
    double.onConnect = () => failure('ECONNREFUSED');
    const begin = performance.now();
    const ended: number[] = [];
    const note = () => ended.push(performance.now() - begin);
    // As an account does, one call after the other.
    const calls = (async () => {
      for (let call = 0; call < 5; call++) {
        await storage.commit(append).then(note);
        await errorCode(storage.read({ keys: [] })).then(note);
      }
    })();
    await vi.advanceTimersByTimeAsync(10_000);
    await calls;

    expect(ended).toHaveLength(10);
  });

  it('find a server that is back', async () => {
    const { double, storage } = await opened();
    double.onConnect = () => failure('ECONNREFUSED');
    const call = errorCode(storage.read({ keys: [] }));
    await vi.advanceTimersByTimeAsync(10_000);
    await call;
    double.onConnect = () => undefined;

    expect(await storage.read({ keys: [] })).toMatchObject({ values: [] });
  });

  it('hear of it once, and once that it is back', async () => {
    const { double, storage } = await opened();
    const seen: StoreStatus[] = [];
    storage.onStatus!((status) => seen.push(status));
    double.onConnect = () => failure('ECONNREFUSED');
    const call = errorCode(storage.read({ keys: [] }));
    await vi.advanceTimersByTimeAsync(10_000);
    await call;
    await storage.commit(append);
    expect(seen).toEqual(['lost']);
    double.onConnect = () => undefined;
    await storage.read({ keys: [] });

    expect(seen).toEqual(['lost', 'reconnected']);
  });
});
