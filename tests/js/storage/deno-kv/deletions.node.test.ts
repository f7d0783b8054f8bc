// Deletions of more values than fit in one commit, and of whole stores.

import { beforeEach, describe, expect, it, vi } from 'vitest';

import { denoKvStorage } from '../../../../js/src/storage/deno-kv.js';
import type { Batch, StorageKey } from '../../../../js/src/storage/page-storage.js';
import { isFirstNumber, KvDouble } from '../../support/deno-kv/double.js';

vi.setConfig({ testTimeout: 60_000 });

const batch = (made: Partial<Batch>): Batch => ({ expect: [], puts: [], deletes: [], ...made });

const RECORDS = 1500;
const keys = Array.from({ length: RECORDS }, (_, at): StorageKey => `log/${at + 1}`);
const failed = new Error('the process died');

let kv: KvDouble;
beforeEach(async () => {
  kv = new KvDouble();
  for (let at = 0; at < RECORDS; at += 500) {
    const puts = keys.slice(at, at + 500).map((key) => [key, Uint8Array.of(1)] as const);
    expect(await open().commit(batch({ puts }))).toEqual({ outcome: 'ok' });
  }
  await open().commit(batch({ puts: [['log/base', Uint8Array.of(1)]] }));
});

const open = () => denoKvStorage(kv, 'a');
const recordsIn = async () => (await open().read({ keys: [], recordsAfter: 0 })).records;
const stored = () => kv.keys.filter(([, , group]) => group === 'log').length;

// The log that a flush of an account leaves.
const flush = batch({
  expect: [['log/base', Uint8Array.of(1)]],
  puts: [
    ['log/base', Uint8Array.of(2)],
    ['pages/1', Uint8Array.of(3)],
  ],
  deletes: keys.slice(0, -2),
});

/** Lets the first commits of a writer through, beside its first number. From then on, they fail. */
function dieAfter(commits: number): void {
  let left = commits;
  kv.onCommit = (call) =>
    isFirstNumber(call) || left-- > 0 ? call.apply() : Promise.reject(failed);
}

describe('a batch with more deletions than one commit takes', () => {
  it('deletes all of them', async () => {
    expect(await open().commit(flush)).toEqual({ outcome: 'ok' });

    expect((await recordsIn()).map(([number]) => number)).toEqual([RECORDS - 1, RECORDS]);
    expect(stored()).toBe(2);
  });

  it('deletes nothing if it has moved', async () => {
    const moved = { ...flush, expect: [['log/base', Uint8Array.of(9)]] as const };

    expect(await open().commit(moved)).toEqual({ outcome: 'moved' });
    expect(await recordsIn()).toHaveLength(RECORDS);
  });

  it('deletes all of them for every reader, if its process dies afterwards', async () => {
    dieAfter(1);
    expect(await open().commit(flush)).toEqual({ outcome: 'ok' });
    expect(stored()).toBeGreaterThan(500);

    expect(await recordsIn()).toHaveLength(2);
    expect((await open().read({ keys })).values.filter(Boolean)).toHaveLength(2);
    expect((await open().read({ keys: ['log/1'] })).values).toEqual([undefined]);
    expect([...(await open().list!())].sort()).toEqual([
      'log/1499',
      'log/1500',
      'log/base',
      'pages/1',
    ]);
  });

  it.each([1, 2, 3, 4])('leaves the rest after %i steps to the next commit', async (steps) => {
    dieAfter(steps);
    expect(await open().commit(flush)).toEqual({ outcome: 'ok' });
    kv.onCommit = undefined;
    const again = batch({
      expect: [['log/1', undefined]],
      puts: [['log/1', Uint8Array.of(7)]],
    });

    expect(await open().commit(again)).toEqual({ outcome: 'ok' });
    expect((await recordsIn()).map(([number]) => number)).toEqual([1, RECORDS - 1, RECORDS]);
    expect(stored()).toBe(3);
  });

  it('removes nothing that was stored after another process had removed the rest', async () => {
    const slow: (() => void)[] = [];
    const slowCommit = new Promise<void>((resolve) => {
      let commits = 0;
      kv.onCommit = async (call) => {
        if (!isFirstNumber(call) && ++commits === 2) {
          await new Promise<void>((go) => (slow.push(go), resolve()));
        }
        return call.apply();
      };
    });
    const first = open().commit(flush);
    await slowCommit;
    const later = keys.slice(600, 900).map((key) => [key, Uint8Array.of(7)] as const);
    expect(await open().commit(batch({ puts: later }))).toEqual({ outcome: 'ok' });
    slow[0]!();

    expect(await first).toEqual({ outcome: 'ok' });
    expect(await recordsIn()).toHaveLength(302);
  });
});

it('a batch that Deno KV cannot take is refused, and says why', async () => {
  const puts = keys.map((key) => [key, Uint8Array.of(1)] as const);
  const { outcome, cause } = await open().commit(batch({ puts }));

  expect(outcome).toBe('refused');
  expect(String(cause)).toMatch(/puts 1500 values.*550 at most/);
});

it('a deletion of too many runs is refused, and says why', async () => {
  const deletes = Array.from({ length: 1600 }, (_, at): StorageKey => `log/${2 * at}`);
  const { outcome, cause } = await open().commit(batch({ deletes }));

  expect(outcome).toBe('refused');
  expect(String(cause)).toMatch(/deletes 1050 runs of values\..* 1000 at most/);
});

describe('a destroyed store', () => {
  it('leaves nothing in the database, and other stores alone', async () => {
    const other = denoKvStorage(kv, 'other');
    await other.commit(batch({ puts: [['log/base', Uint8Array.of(5)]] }));
    const before = kv.keys.filter(([, name]) => name === 'other');
    kv.now += 2 * 86_400_000; // The notes about writers expire.
    await open().destroy();

    expect(kv.keys.filter(([, name]) => name === 'a')).toEqual([]);
    expect(before.length).toBeGreaterThan(0);
    expect((await other.read({ keys: ['log/base'] })).values).toEqual([Uint8Array.of(5)]);
  });

  it.each([1, 2, 5])('is empty if its process dies after %i steps', async (steps) => {
    dieAfter(steps);
    await expect(open().destroy()).rejects.toBe(failed);
    kv.onCommit = undefined;

    expect(await recordsIn()).toEqual([]);
    expect(await open().list!()).toEqual([]);
    expect(await open().commit(batch({ puts: [['log/1', Uint8Array.of(1)]] }))).toEqual({
      outcome: 'ok',
    });
    expect(await recordsIn()).toHaveLength(1);
    expect(stored()).toBe(1);
  });

  // The last two steps remove the note of what is deleted, and the other notes.
  it.each([
    { deletions: 1, isBefore: false },
    { deletions: 3, isBefore: true },
  ])('keeps what another account stores at once: %o', async ({ deletions, isBefore }) => {
    const other = open();
    const store = async () => {
      kv.onCommit = undefined;
      const stored = other.commit(batch({ puts: [['log/1', Uint8Array.of(1)]] }));
      expect(await stored).toEqual({ outcome: 'ok' });
    };
    kv.onCommit = async ({ mutations, apply }) => {
      const isIt =
        mutations.length === deletions && mutations.every(({ value }) => value === undefined);
      if (isIt && isBefore) await store();
      const result = apply();
      if (isIt && !isBefore) await store();
      return result;
    };
    await open().destroy();

    expect(kv.onCommit).toBeUndefined();
    expect(await recordsIn()).toHaveLength(1);
    expect(kv.keys.map((key) => key.at(-1))).toContain('changed');
  });
});
