// Batches that are larger than the database takes in one commit: crashes at every moment, other
// openers, and what is left.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { sameBytes } from '../../../../js/src/storage/bytes.js';
import { withMaxValueBytes } from '../../../../js/src/storage/max-value-bytes.js';
import type { Batch, PageStorage, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { LimitedStorage } from '../../support/limited-storage.js';
import { randomNumbers } from '../../support/random-numbers.js';

const LIMITS = { valueBytes: 1024, batchBytes: 4096 };
const KEYS: StorageKey[] = ['pages/root', 'pages/1', 'pages/2', 'log/1', 'log/2'];

const openOn = (database: LimitedStorage) =>
  withMaxValueBytes(database, LIMITS.valueBytes, { maxBatchBytes: LIMITS.batchBytes });

const filled = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, at) => seed + at * 7 + (at >> 8));

const allOf = (seed: number, length: number): Batch => ({
  expect: [],
  puts: KEYS.map((key) => [key, filled(seed, length)] as const),
  deletes: [],
});

const small: Batch = { expect: [], puts: [['log/9', Uint8Array.of(9)]], deletes: [] };

/** How many parts there are in the database. */
async function partCount(database: LimitedStorage): Promise<number> {
  const keys = await database.list();
  return keys.filter((key) => /^pages\/-/.test(key) && key !== 'pages/-1').length;
}

/** The values of the keys, all of them of one batch. */
async function wholeValue(storage: PageStorage): Promise<Uint8Array | undefined> {
  const { values } = await storage.read({ keys: KEYS });
  expect(values.every((value) => sameBytes(value, values[0]))).toBe(true);
  return values[0];
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

describe('a large batch', () => {
  it('is one that fits into a commit only without what its parts need', async () => {
    for (let length = LIMITS.batchBytes - 100; length <= LIMITS.batchBytes; length++) {
      const storage = openOn(new LimitedStorage(LIMITS));
      const value = filled(1, length);

      const { outcome } = await storage.commit({ ...small, puts: [['log/1', value]] });

      expect({ length, outcome }).toEqual({ length, outcome: 'ok' });
      const { values } = await storage.read({ keys: ['log/1'] });
      expect(values).toEqual([value]);
    }
  });

  it('takes several commits, and leaves only the parts that it needs', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = openOn(database);
    await storage.commit(allOf(1, 5000));

    expect(database.commits).toBeGreaterThan(7);
    expect(await partCount(database)).toBe(5 * 5);

    expect((await storage.commit(allOf(2, 3000))).outcome).toBe('ok');
    expect(await partCount(database)).toBe(5 * 3);
    expect((await storage.commit({ ...small, puts: [], deletes: KEYS })).outcome).toBe('ok');
    expect(await partCount(database)).toBe(0);
  });

  it.each(['before', 'after'])('is whole or absent after a crash %s any commit', async (when) => {
    let crashes = 0;
    for (let last = 0; ; last++) {
      const database = new LimitedStorage(LIMITS);
      await openOn(database).commit(allOf(1, 2000));
      const before = database.commits;
      let isDead = false;
      database.onCommit = (commits, batch) => {
        if (isDead) return { outcome: 'unknown' };
        isDead = commits - before >= last;
        if (isDead && when === 'after') void database.inner.commit(batch);
        return isDead ? { outcome: 'unknown' } : undefined;
      };
      const { outcome } = await openOn(database).commit(allOf(2, 3000));
      database.onCommit = undefined;
      if (!isDead) break;
      crashes++;

      const again = openOn(database);
      vi.setSystemTime(Date.now() + 120_000);
      expect((await again.commit(small)).outcome).toBe('ok');
      const value = await wholeValue(again);
      if (outcome === 'ok') expect(value).toEqual(filled(2, 3000));
      else expect([filled(1, 2000), filled(2, 3000)]).toContainEqual(value);
      expect(await partCount(database)).toBe(5 * Math.ceil(value!.length / 1024));
    }
    // The journal, five commits of parts, the heads, and three of what is left.
    expect(crashes).toBeGreaterThanOrEqual(8);
  });

  it('is not stored if the database has no room for a part of it, and leaves nothing', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = openOn(database);
    await storage.commit(allOf(1, 100));
    const before = database.commits;
    const room = { usage: 1, quota: 2 };
    database.onCommit = (commits) =>
      commits === before + 3 ? { outcome: 'quota', room } : undefined;

    expect(await storage.commit(allOf(2, 5000))).toEqual({ outcome: 'quota', room });
    expect(await wholeValue(storage)).toEqual(filled(1, 100));
    expect(await partCount(database)).toBe(0);
  });

  it('begins again if another opener took its writer for dead', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = openOn(database);
    const other = openOn(database);
    let collected: Promise<unknown> | undefined;
    database.onCommit = (commits) => {
      if (commits !== 4) return;
      vi.setSystemTime(Date.now() + 120_000);
      collected = other.commit(small);
    };

    expect((await storage.commit(allOf(1, 5000))).outcome).toBe('ok');
    await collected;
    expect(await wholeValue(openOn(database))).toEqual(filled(1, 5000));
    expect(await partCount(database)).toBe(5 * 5);
  });

  it('of several openers loses no update', async () => {
    const database = new LimitedStorage(LIMITS);
    const key = 'pages/root' as const;
    const turns = 8;
    const valueOf = (count: number) => filled(count, 6000 + count);
    await openOn(database).commit({ ...small, puts: [[key, valueOf(0)]] });
    const addOne = async (storage: PageStorage) => {
      for (;;) {
        const [value] = (await storage.read({ keys: [key] })).values;
        const put = valueOf(value!.length - 6000 + 1);
        const batch: Batch = { expect: [[key, value]], puts: [[key, put]], deletes: [] };
        const { outcome, cause } = await storage.commit(batch);
        if (outcome === 'ok') return;
        expect([outcome, cause]).toEqual(['moved', undefined]);
      }
    };
    await Promise.all(
      [1, 2, 3].map(async () => {
        const storage = openOn(database);
        for (let turn = 0; turn < turns; turn++) await addOne(storage);
      }),
    );

    const [value] = (await openOn(database).read({ keys: [key] })).values;
    expect(value).toEqual(valueOf(3 * turns));
    expect(await partCount(database)).toBe(Math.ceil(value!.length / 1024));
  });
});

describe('any batches', () => {
  const below = randomNumbers(1);

  it.each([LIMITS, { valueBytes: 1024, batchBytes: Infinity }])(
    'equal a map over %j',
    async ({ valueBytes, batchBytes }) => {
      const database = new LimitedStorage({ valueBytes, batchBytes });
      const storage = withMaxValueBytes(database, valueBytes, { maxBatchBytes: batchBytes });
      const model = new Map<StorageKey, Uint8Array>();
      const some = (count: number) => [
        ...new Set(Array.from({ length: below(count) }, () => KEYS[below(KEYS.length)]!)),
      ];
      const value = () => filled(below(256), [0, 1, 900, 1023, 1024, 1025, 3000][below(7)]!);
      for (let step = 0; step < 200; step++) {
        const batch: Batch = {
          expect: some(4).map((key) => [key, below(5) ? model.get(key) : value()] as const),
          puts: some(5).map((key) => [key, value()] as const),
          deletes: some(3),
        };
        const holds = batch.expect.every(([key, one]) => sameBytes(model.get(key), one));
        expect((await storage.commit(batch)).outcome).toBe(holds ? 'ok' : 'moved');
        if (holds) {
          for (const key of batch.deletes) model.delete(key);
          for (const [key, one] of batch.puts) model.set(key, one);
        }
        const { values } = await storage.read({ keys: KEYS });
        expect(KEYS.filter((key, at) => !sameBytes(values[at], model.get(key)))).toEqual([]);
        const parts = [...model.values()].filter(({ length }) => length + 1 > 25);
        // Short values are in parts only if their batch was large.
        const fewest = parts.filter(({ length }) => length + 1 > valueBytes);
        const count = (all: Uint8Array[]) =>
          all.reduce((sum, { length }) => sum + Math.ceil(length / valueBytes), 0);
        const found = await partCount(database);
        expect(found).toBeGreaterThanOrEqual(count(fewest));
        expect(found).toBeLessThanOrEqual(count(parts));
      }
    },
  );
});
