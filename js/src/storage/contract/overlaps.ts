/**
 * Calls that overlap.
 *
 * @module
 */

import type { PageStorage, StorageKey } from '../page-storage.js';
import {
  batch,
  bytes,
  check,
  expectOutcome,
  expectRecords,
  expectThat,
  expectValues,
  put,
  record,
} from './assert.js';

const WRITERS = 4;
const TURNS = 25;
const ALL: readonly StorageKey[] = ['log/base', 'pages/root', 'log/1', 'pages/1', 'pages/2'];

export const OVERLAPS = [
  check('compares commits in the order of the calls', async (storage) => {
    const results = await Promise.all([
      storage.commit(record(1, bytes(1))),
      storage.commit(record(1, bytes(2))),
      storage.commit(batch({ expect: [['log/1', bytes(1)]], puts: [['log/1', bytes(3)]] })),
      storage.commit(batch({ expect: [['log/1', bytes(1)]], puts: [['log/1', bytes(4)]] })),
    ]);

    const outcomes = results.map(({ outcome }) => outcome).join();
    expectThat(outcomes === 'ok,moved,ok,moved', `the outcomes are ${outcomes}`);
    await expectValues(storage, [['log/1', bytes(3)]]);
  }),

  check('stores the records of many commits at once', async (storage) => {
    const numbers = Array.from({ length: 200 }, (_, at) => at + 1);
    const results = await Promise.all(
      numbers.map((number) => storage.commit(record(number, bytes(number & 255)))),
    );

    expectThat(
      results.every(({ outcome }) => outcome === 'ok'),
      'not all commits had the outcome ok',
    );
    const expected = numbers.map((number) => [number, bytes(number & 255)] as const);
    await expectRecords(storage, { keys: [], recordsAfter: 0 }, expected);
  }),

  check(
    'loses no update of writers that expect the values that they have read',
    async (storage) => {
      await put(storage, ['log/base', bytes(0)]);
      await Promise.all(
        Array.from({ length: WRITERS }, async () => {
          let lost = 0;
          for (let turn = 0; turn < TURNS;) {
            if (await addOne(storage)) turn++;
            else expectThat(++lost <= WRITERS * TURNS, 'no writer succeeds');
          }
        }),
      );

      await expectValues(storage, [['log/base', bytes(WRITERS * TURNS)]]);
    },
  ),

  check('reads the values of one moment, while commits go on', async (storage) => {
    const all = (value: Uint8Array) => batch({ puts: ALL.map((key) => [key, value] as const) });
    await expectOutcome(storage, all(bytes(0)), 'ok');
    // Of different lengths, so that a mixed read shows.
    const commits = Array.from({ length: 30 }, (_, at) =>
      storage.commit(all(new Uint8Array(1 + (at % 7) * 1000).fill(at))),
    );
    const reads = Array.from({ length: 30 }, async () => {
      const { values, records } = await storage.read({ keys: ALL, recordsAfter: 0 });
      const seen = [...values, ...records.map(([, value]) => value)];
      expectThat(records.length === 1, `${records.length} records were there, not 1`);
      expectThat(
        new Set(seen.map((value) => `${value?.[0]} ${value?.length}`)).size === 1,
        'a read saw a part of a batch',
      );
    });
    await Promise.all([...commits, ...reads]);
  }),

  check('reads at least the commits that were acknowledged or read before', async (storage) => {
    await put(storage, ['log/base', bytes(0)]);
    const progress = { acknowledged: 0, isOver: false };
    const commits = Array.from({ length: 50 }, (_, at) =>
      put(storage, ['log/base', bytes(at + 1)]).then(() => (progress.acknowledged = at + 1)),
    );
    const all = Promise.all(commits).finally(() => (progress.isOver = true));
    let seen = 0;
    const readers = async () => {
      do {
        const least = Math.max(seen, progress.acknowledged);
        const [value] = (await storage.read({ keys: ['log/base'] })).values;
        seen = value?.[0] ?? -1;
        expectThat(seen >= least, `a read saw ${seen}, though ${least} was there before`);
        // Otherwise reads that need no wait would keep commits from going on.
        await new Promise<void>((resolve) => setTimeout(resolve));
      } while (!progress.isOver);
    };
    await Promise.all([all, readers()]);

    await expectValues(storage, [['log/base', bytes(50)]]);
  }),
];

async function addOne(storage: PageStorage): Promise<boolean> {
  const [value] = (await storage.read({ keys: ['log/base'] })).values;
  const made = batch({
    expect: [['log/base', value!]],
    puts: [['log/base', bytes(value![0]! + 1)]],
  });
  return (await storage.commit(made)).outcome === 'ok';
}
